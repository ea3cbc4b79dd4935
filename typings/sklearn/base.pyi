# What dpcore's estimators inherit and call: scikit-learn comes without types.
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

_E = TypeVar("_E")

class InputTags:
    allow_nan: bool
    sparse: bool

class TargetTags:
    required: bool

class TransformerTags:
    preserves_dtype: list[str]

class ClassifierTags:
    poor_score: bool
    multi_class: bool

class RegressorTags:
    poor_score: bool

class Tags:
    input_tags: InputTags
    target_tags: TargetTags
    transformer_tags: TransformerTags
    classifier_tags: ClassifierTags
    regressor_tags: RegressorTags
    non_deterministic: bool

class BaseEstimator:
    n_features_in_: int

    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: object) -> Self: ...
    def __sklearn_tags__(self) -> Tags: ...
    def __getstate__(self) -> dict[str, Any]: ...

class ClassifierMixin:
    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = ...) -> float: ...

class RegressorMixin:
    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = ...) -> float: ...

class TransformerMixin:
    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = ...) -> NDArray[np.float64]: ...

class OneToOneFeatureMixin:
    def get_feature_names_out(self, input_features: ArrayLike | None = ...) -> NDArray[Any]: ...

def clone(estimator: _E) -> _E: ...

class ClassNamePrefixFeaturesOutMixin:
    def get_feature_names_out(self, input_features: ArrayLike | None = ...) -> NDArray[Any]: ...
