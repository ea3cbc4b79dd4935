// The types that the modules hand to each other. What Python sends is described in message.d.ts, which is
// written from its classes. Read by the type checker only.

import type { ArraySpec, ControlSpec, Layer, Message } from "./message.d.ts";

export type * from "./message.d.ts";

/** What a control may hold. */
export type Value = number | string | boolean;
export type Values = Record<string, Value>;

export type Arrays = Record<string, ArraySpec>;
export type Numbers = ArrayLike<number>;

/** The name of an array, or its content. */
export type Slot = string | Numbers;
/** The name of a scalar array, or a number. */
export type ScalarSlot = string | number;

export type Kind = Layer["kind"];
export type LayerOf<K extends Kind> = Extract<Layer, { kind: K }>;
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
