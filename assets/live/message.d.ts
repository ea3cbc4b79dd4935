// Written by `python -m ui.live.describe` from the classes of ui/live: do not edit.

import type { Arrays, ScalarSlot, Slot, Values } from "./types.d.ts";

/** Slider over a grid of numbers, or over `words` that name them. */
export interface SliderSpec {
  kind: "slider";
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  why: string;
  hidden: boolean;
  group: string;
  tab: string;
  grid: number[];
  words: string[];
  ends: [string, string];
  play: boolean;
  unit: string;
  press: string;
  press_anew: number | null;
  seconds: number;
  own: boolean;
  sways: boolean;
  rises: boolean;
  asked: boolean;
  band: number[];
  format: string;
}

/** Choice among options, given as pairs (value, words). */
export interface ChoiceSpec {
  kind: "choice";
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  why: string;
  hidden: boolean;
  group: string;
  tab: string;
  options: [string | number | boolean, string][];
}

/** Switch with the values False and True. */
export interface ToggleSpec {
  kind: "toggle";
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  why: string;
  hidden: boolean;
  group: string;
  tab: string;
  panel: string;
  place: string;
}

/** Field for a whole number from `low` to `high`. */
export interface NumberSpec {
  kind: "number";
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  why: string;
  hidden: boolean;
  group: string;
  tab: string;
  low: number | null;
  high: number | null;
}

/** Row of buttons, given as (action, label, title). */
export interface ButtonsSpec {
  kind: "buttons";
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  why: string;
  hidden: boolean;
  group: string;
  tab: string;
  actions: [string, string, string][];
}

export type ControlSpec = SliderSpec | ChoiceSpec | ToggleSpec | NumberSpec | ButtonsSpec;

/** Layer of a panel. */
export interface LayerBase {
  front?: boolean;
  label?: string;
  label_short?: string;
  label_on_hover?: boolean;
  ghost?: boolean;
}

/** Regions of the plane, with edges. A point z is in the region of the centre c with the least |z − c|² + r². */
export interface RegionsLayer extends LayerBase {
  kind: "regions";
  centres: Slot;
  labels: Slot;
  alpha?: number;
}

/** Edges between regions of different labels, without filled regions. */
export interface BoundaryLayer extends LayerBase {
  kind: "boundary";
  centres: Slot;
  labels: Slot;
  role?: string | number;
}

/** Shading of a map by values on a grid, opaque at the low end of `range` and transparent at the high end. */
export interface ShadeLayer extends LayerBase {
  kind: "shade";
  values: Slot;
  extent: [number, number, number, number];
  range: [number, number];
  role?: string | number;
  alpha?: number;
}

/** Probability of one of two classes on a grid, with its contour at one half. */
export interface FieldLayer extends LayerBase {
  kind: "field";
  values: Slot;
  extent: [number, number, number, number];
  line?: boolean;
  role?: string;
}

/** Records as points, with colour and shape by label. */
export interface PointsLayer extends LayerBase {
  kind: "points";
  xy: Slot;
  labels: Slot;
  role?: string | number;
  size?: number;
  alpha?: number;
  leaves?: boolean;
  roles?: string[];
  within?: [number, number, number, number];
}

/** Prototypes as large marks with a rim. */
export interface MarkersLayer extends LayerBase {
  kind: "markers";
  xy: Slot;
  labels: Slot;
  role?: string | number;
  size?: number;
  alpha?: number;
  hollow?: boolean;
}

/** P prototypes in each of D outcomes (random draws), as P·D small points. */
export interface CloudLayer extends LayerBase {
  kind: "cloud";
  xy: Slot;
  labels: Slot;
  role?: string | number;
  size?: number;
  alpha?: number;
}

/** Polylines through S snapshots of P prototypes, up to the fractional index `upto`. */
export interface PathsLayer extends LayerBase {
  kind: "paths";
  xy: Slot;
  labels: Slot;
  upto: string;
  role?: string | number;
  width?: number;
}

/** Arrows from the origin to points, without arrows to NaN points. */
export interface ArrowsLayer extends LayerBase {
  kind: "arrows";
  role?: string | number;
  alpha?: number;
  width?: number;
  dash?: boolean;
  xy: Slot;
}

/** Curve, interrupted where y is NaN. */
export interface LineLayer extends LayerBase {
  kind: "line";
  role?: string | number;
  alpha?: number;
  width?: number;
  dash?: boolean;
  x: Slot;
  y: Slot;
  keep?: boolean;
}

/** Filled area between two curves. */
export interface BandLayer extends LayerBase {
  kind: "band";
  x: Slot;
  low: Slot;
  high: Slot;
  role?: string | number;
  alpha?: number;
}

/** Curves at² − 2bt, one for each row (a, b, flag). */
export interface ParabolasLayer extends LayerBase {
  kind: "parabolas";
  role?: string | number;
  alpha?: number;
  width?: number;
  dash?: boolean;
  xy: Slot;
  keep?: boolean;
}

/** Vertical line across the panel, at one x. */
export interface VLineLayer extends LayerBase {
  kind: "vline";
  role?: string | number;
  alpha?: number;
  width?: number;
  dash?: boolean;
  at: ScalarSlot;
}

/** Horizontal line across the panel, at one y. */
export interface HLineLayer extends LayerBase {
  kind: "hline";
  role?: string | number;
  alpha?: number;
  width?: number;
  dash?: boolean;
  at: ScalarSlot;
}

/** Point with a rim, at the current values of the controls. */
export interface DotLayer extends LayerBase {
  kind: "dot";
  x: ScalarSlot;
  y: ScalarSlot;
  role?: string | number;
  size?: number;
  keep?: boolean;
}

/** Histogram with given bin edges. */
export interface BarsLayer extends LayerBase {
  kind: "bars";
  edges: Slot;
  heights: Slot;
  role?: string | number;
  alpha?: number;
  hollow?: boolean;
  keep?: boolean;
}

/** Pictogram of a budget from 0 to 1 as a hundred coins. */
export interface CoinsLayer extends LayerBase {
  kind: "coins";
  x: number;
  width: number;
  spent: ScalarSlot;
  budget: ScalarSlot;
  words_left?: string[];
  words_empty?: string[];
  role?: string | number;
}

/** Animated random draws that fall one by one into a dot plot between `floor` and `top`. */
export interface RainLayer extends LayerBase {
  kind: "rain";
  xy: Slot;
  upto: ScalarSlot;
  floor: number;
  top: number;
  like: Slot;
  role?: string | number;
  size?: number;
}

/** People who raise their cards, first one by one, then all. */
export interface CardsLayer extends LayerBase {
  kind: "cards";
  xy: Slot;
  answers: Slot;
  person?: number;
  raised?: string;
  wheel: ScalarSlot;
  large?: number[];
  words?: string[];
  role?: string | number;
}

/** Pictogram of a number as discs at the first `upto` of n positions. */
export interface CountedLayer extends LayerBase {
  kind: "counted";
  xy: Slot;
  upto: ScalarSlot;
  radius: number;
  role?: string | number;
  hollow?: boolean;
}

/** Phones that answer a yes/no question one after the other, each after the toss of a coin. */
export interface PhonesLayer extends LayerBase {
  kind: "phones";
  xy: Slot;
  answers: Slot;
  device: Slot;
  truth: Slot;
  upto: ScalarSlot;
  words: string[];
  role?: string | number;
}

/** Predicted class of each image of a mosaic, written below the image. */
export interface ReadingsLayer extends LayerBase {
  kind: "readings";
  votes: Slot;
  truth: Slot;
  role?: string | number;
  marks?: boolean;
}

/** Words at a fixed position of the panel, unlike labels of curves, which are placed where there is room. */
export interface AnnotationLayer extends LayerBase {
  kind: "annotation";
  x: ScalarSlot;
  y: ScalarSlot;
  words: string;
  words_short?: string;
  align?: "left" | "center" | "right";
  dx?: number;
  dy?: number;
  role?: string | number;
  stamped?: boolean;
}

/** Draggable point that sets two sliders by its offset from the origin. */
export interface HandleLayer extends LayerBase {
  kind: "handle";
  x: string;
  y: string;
  origin: Slot;
}

export type Layer =
  | RegionsLayer
  | BoundaryLayer
  | ShadeLayer
  | FieldLayer
  | PointsLayer
  | MarkersLayer
  | CloudLayer
  | PathsLayer
  | ArrowsLayer
  | LineLayer
  | BandLayer
  | ParabolasLayer
  | VLineLayer
  | HLineLayer
  | DotLayer
  | BarsLayer
  | CoinsLayer
  | RainLayer
  | CardsLayer
  | CountedLayer
  | PhonesLayer
  | ReadingsLayer
  | AnnotationLayer
  | HandleLayer;

/** An axis: `range` in data units (also if `log`), title, number format, and optionally ticks with labels. */
export interface Axis {
  range: [number, number];
  title: string;
  log: boolean;
  ticks: number[] | null;
  words: string[] | null;
  format: string;
}

/** Curve that users predict before it is shown. */
export interface Guess {
  question: string;
  x: string;
  y: string;
  each: boolean;
  first: boolean;
}

/** Game of bets on which of two neighbouring data sets an answer came from. */
export interface Bets {
  question: string;
  best: string;
  rounds: number;
  words: Record<string, string>;
  inside: string;
  outside: string;
  hides: string[];
}

/** Game of R rounds, in which users pick the candidate that was released as `published` (R, pixels). */
export interface FaceOff {
  question: string;
  published: string;
  candidates: string;
  truth: string;
  votes: string;
  right: string;
  wrong: string;
  found: string;
  missed: string;
  waits: string;
  score: string;
  you: string;
  attacker: string;
  candidate: string;
  on: string;
  again: string;
}

/** A panel: `map` (equal aspect, no axes), `plot` (with axes) or `mosaic` (grid of images). */
export interface PanelSpec {
  key: string;
  title: string;
  kind: "map" | "plot" | "mosaic";
  layers: Layer[];
  x: Axis;
  y: Axis;
  top: Axis | null;
  caption: string;
  alt: string;
  link: string;
  tab: string;
  height: number;
  fixed: boolean;
  fills: boolean;
  tiles: string;
  shape: [number, number];
  columns: number;
  range: [number, number];
  captions: string[];
  rows: string[];
  still: string;
  guess: Guess | null;
  bets: Bets | null;
  face_off: FaceOff | null;
  leads: boolean;
}

/** Number below the figure: a scalar array, its format, and words. */
export interface ReadoutSpec {
  value: string;
  label: string;
  format: string;
  note: string;
  brief: string | null;
  help: string;
  role: string;
  draw: string;
  alone: string;
  to: string;
  low: string;
  high: string;
  tab: string;
  about: "good" | "private";
}

/** Progress of running work: the fraction done and a text. */
export interface BusySpec {
  progress: number;
  text: string;
}

/** Animation of a figure through other random draws of the same release, one after the other. */
export interface BreathingSpec {
  n_outcomes: number;
  label: string;
  still: string;
  instead: Record<string, string>;
  elsewhere: string;
  without: Record<string, string>;
  label_without: string;
  take_out: string;
  put_back: string;
  person: string;
  at: Record<string, number>;
  dots: string;
  record: string;
  numbers: string;
  choose: string;
  tap: string;
  waits: string;
}

/** Array in a message: digest, shape, and content if it is sent within the message. */
export interface ArraySpec {
  id: string;
  dims: (string | null)[];
  shape: number[];
  dtype: "f4" | "i4" | "u1";
  scale: [number, number] | null;
  data?: string;
}

/** File of arrays that the browser fetches: its URL, the arrays in it, and their purpose. */
export interface FileSpec {
  url: string;
  ids: string[];
  purpose: string;
}

/** Sentence with one string for each combination of its dimensions. */
export interface TextSpec {
  strings: string[];
  brief: string[];
  dims: string[];
  sizes: number[];
  role: "" | "meaning";
  bounds: number[];
  reached: number[];
  refuted: boolean[];
  along: Record<string, TextSpec>;
}

/** Data sent to the browser at every rerun: figure, name, URL of the modules. */
export interface Message {
  controls: ControlSpec[];
  values: Values;
  arrays: Arrays;
  files: FileSpec[];
  coords: Record<string, string>;
  panels: PanelSpec[];
  readouts: ReadoutSpec[];
  texts: TextSpec[];
  terms: Record<string, string>;
  compact: boolean;
  main_tab: string;
  previews: Record<string, Record<string, string>>;
  busy: BusySpec | null;
  breathing: BreathingSpec | null;
  awaits_outcomes: boolean;
  name: string;
  seq: number;
  session: string;
  modules: string;
  news: string;
}

/** Data sent if a figure has not changed: the number of the message that is still valid, and job progress. */
export interface SameMessage {
  same: number;
  busy: BusySpec | null;
  name: string;
  seq: number;
  session: string;
  modules: string;
  news: string;
}

/** Data sent for a placeholder of a figure: its height in pixels. */
export interface LaterMessageSpec {
  later: number;
  name: string;
  session: string;
  modules: string;
}
