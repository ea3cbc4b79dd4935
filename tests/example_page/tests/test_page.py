from pages.example.page import EACH, CountParams, mean_errors


def test_the_mean_error_is_the_scale_of_the_noise():
    errors = mean_errors(CountParams()).values
    assert all(abs(e / noise.scale - 1) < 0.2 for e, noise in zip(errors, EACH, strict=True))
