// The types of a figure's message, and of what the modules hand to each other. Read by the type checker only.

/** What a control may hold. */
export type Value = number | string | boolean;
export type Values = Record<string, Value>;

export interface ArraySpec {
  id: string;
  dtype: "f4" | "i4" | "u1";
  shape: number[];
  dims: (string | null)[];
  scale: [number, number] | null;
  /** base64; left out when the browser holds the content already */
  data?: string;
}
export type Arrays = Record<string, ArraySpec>;
export type Numbers = ArrayLike<number>;

interface ControlBase {
  name: string;
  label: string;
  symbol: string;
  help: string;
  mode: "server" | "local";
  more: boolean;
  disabled: boolean;
  hidden: boolean;
}
export interface SliderSpec extends ControlBase {
  kind: "slider";
  grid: number[];
  ends: [string, string];
  play: boolean;
  unit: string;
  format: string;
}
export interface ChoiceSpec extends ControlBase {
  kind: "choice";
  options: [Value, string][];
}
export interface ToggleSpec extends ControlBase {
  kind: "toggle";
}
export interface NumberSpec extends ControlBase {
  kind: "number";
  low: number | null;
  high: number | null;
}
export interface ButtonsSpec extends ControlBase {
  kind: "buttons";
  actions: [string, string, string][];
}
export type ControlSpec = SliderSpec | ChoiceSpec | ToggleSpec | NumberSpec | ButtonsSpec;

/** The name of an array, or its content. */
export type Slot = string | Numbers;
/** The name of a scalar array, or a number. */
export type ScalarSlot = string | number;

interface LayerBase {
  role?: string;
  alpha?: number;
  width?: number;
  size?: number;
  dash?: boolean;
  label?: string;
  /** drawn over what moves, even when it stands still */
  front?: boolean;
  /** whether *Pin* keeps it, whatever its role */
  keep?: boolean;
  hollow?: boolean;
  /** a pinned copy */
  ghost?: boolean;
}
interface Labelled {
  xy: Slot;
  labels: Slot;
}
interface Centres {
  centres: Slot;
  labels: Slot;
}
type Of<Kind extends string, Fields> = Kind extends string ? LayerBase & Fields & { kind: Kind } : never;
export type Layer =
  | Of<"regions" | "boundary", Centres>
  | Of<"points" | "markers" | "cloud", Labelled>
  | Of<"paths", Labelled & { upto: string }>
  | Of<"shade", { values: Slot; extent: Extent; range: [number, number] }>
  | Of<"field", { values: Slot; extent: Extent; line?: boolean }>
  | Of<"arrows" | "parabolas", { xy: Slot }>
  | Of<"line", { x: Slot; y: Slot }>
  | Of<"band", { x: Slot; low: Slot; high: Slot }>
  | Of<"vline" | "hline", { at: ScalarSlot }>
  | Of<"dot", { x: ScalarSlot; y: ScalarSlot }>
  | Of<"text", { x: number; y: number; text: string }>
  | Of<"bars", { edges: Slot; heights: Slot }>
  | Of<"handle", { x: string; y: string; origin: Slot; label: string }>;
export type Kind = Layer["kind"];
export type LayerOf<K extends Kind> = Extract<Layer, { kind: K }>;
export type Extent = [number, number, number, number];

export interface Axis {
  range: [number, number];
  title: string;
  log: boolean;
  ticks: number[] | null;
  words: string[] | null;
  format: string;
}
export interface PanelSpec {
  key: string;
  title: string;
  kind: "map" | "plot" | "mosaic";
  layers: Layer[];
  x: Axis;
  y: Axis;
  caption: string;
  alt: string;
  link: string;
  tab: string;
  height: number;
  fixed: boolean;
  tiles: string;
  shape: [number, number];
  columns: number;
  range: [number, number];
  captions: string[];
  rows: string[];
  still: string;
}
export interface ReadoutSpec {
  label: string;
  value: string;
  format: string;
  note: string;
  help: string;
  role: string;
}
export interface TextSpec {
  strings: string[];
  dims: string[];
  sizes: number[];
  along: Record<string, TextSpec>;
}
/** What Python sends at every rerun. */
export interface Message {
  name: string;
  seq: number;
  modules: string;
  plotly: string;
  controls: ControlSpec[];
  values: Values;
  arrays: Arrays;
  coords: Record<string, string>;
  panels: PanelSpec[];
  readouts: ReadoutSpec[];
  texts: TextSpec[];
  compact: boolean;
  previews: Record<string, Record<string, string>>;
  busy: { progress: number; text: string } | null;
}
/** What the browser sends. */
export interface Told {
  seq: number;
  phase: Phase;
  action: string | null;
  values: Values;
  held: string[];
}
export type Phase = "drag" | "commit" | "tick" | "action" | "missing";
/** How a control was moved. */
export type Move = "drag" | "commit" | "key";

/** What Streamlit hands to a component. */
export interface Component {
  data: Message;
  parentElement: HTMLElement;
  setStateValue(name: string, value: Told): void;
}

export interface Colours {
  dark: boolean;
  ground: string;
  text: string;
  faint: string;
  grid: string;
  classes: string[];
  private: string;
  nonprivate: string;
  danger: string;
  muted: string;
  other: string;
  pinned: string;
  key: string;
}

/** What canvas and SVG have in common: all that layers draw with. */
export interface Surface {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  globalAlpha: number;
  lineWidth: number;
  font: string;
  imageSmoothingEnabled: boolean;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  arc(x: number, y: number, r: number, from: number, to: number): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  fillText(text: string, x: number, y: number): void;
  setLineDash(dash: number[]): void;
  drawImage(canvas: HTMLCanvasElement, x: number, y: number, w: number, h: number): void;
}

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}
/** What layers need to know: values, pixels, colours. */
export interface Env {
  get(name: Slot): Numbers;
  scalar(name: ScalarSlot): number;
  shape(name: Slot): number[];
  place(dim: string): number;
  ready(layer: Layer): boolean;
  x(value: number): number;
  y(value: number): number;
  invX(pixel: number): number;
  invY(pixel: number): number;
  area: Area;
  colours: Colours;
}

interface PlotlyAxis {
  _length: number;
  _offset: number;
  d2p(value: number): number;
  p2d(pixel: number): number;
}
export interface PlotlyElement extends HTMLElement {
  _fullLayout?: { xaxis: PlotlyAxis; yaxis: PlotlyAxis };
  on(name: string, handler: (change: Record<string, unknown>) => void): void;
}
/** The part of Plotly that is used. */
export interface Plotly {
  react(plot: HTMLElement, traces: object[], layout: object, config: object): Promise<unknown>;
  relayout(plot: HTMLElement, change: object): Promise<unknown>;
  toImage(plot: HTMLElement, how: object): Promise<string>;
  purge(plot: HTMLElement): void;
}

/** A control in the page. */
export interface ControlView {
  root: HTMLElement;
  update(spec: ControlSpec, value: Value): void;
  show(value: Value): void;
}

declare global {
  interface Window {
    Plotly?: Plotly;
    /** for tests and benchmarks */
    __dpLive?: Record<
      string,
      { lab: import("./main.js").Lab; stats: object; values: Values; slice(name: string): number[] }
    >;
  }
}
