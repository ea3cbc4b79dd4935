// The types that modules share, for the type checker alone. Messages from Python are in message.d.ts, which is
// generated from its classes.

import type { ArraySpec, ControlSpec, LaterMessage, Layer, Message, SameMessage } from "./message.d.ts";

export type * from "./message.d.ts";

/** The value of a control. */
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
/** An event as it is sent to Python. */
export interface SentEvent {
  seq: number;
  phase: Phase;
  action: string | null;
  values: Values;
  /** arrays that are here */
  held: string[];
  /** arrays that could not be fetched */
  wanted: string[];
  /** the open tab */
  tab?: string | undefined;
  /** controls that a pointer or the focus came near; left out where nobody watches */
  near?: string[];
}
/** An event that waits. */
export interface Waiting {
  phase: Phase;
  action: string | null;
  /** number of touches before it */
  since: number;
  /** the values of the first sending, repeated in every further one; null before it */
  values: Values | null;
}
/** The event under way: sent as `first`, and `again` so many times since. */
export interface UnderWay extends Waiting {
  values: Values;
  first: number;
  again: number;
}
/** The part of a message that the protocol reads: the newest event that Python has received, and the session. */
export interface Answer {
  seq: number;
  session: string;
  /** whether it names an array that is not here */
  missing: boolean;
  busy: boolean;
  /** only the progress is new */
  same: boolean;
}
/** The judgement of an answer: ignore it, or draw it. */
export type Verdict =
  | { draw: false; why: "older" | "incomplete" }
  | {
      draw: true;
      /** a change by the reader is not answered yet */
      mine: boolean;
      /** it answers Reset: sliders that play take its values too */
      anew: boolean;
      /** the controls whose value is the reader's, not the answer's */
      keeps(name: string): boolean;
    };
/** The functions of the figure that the protocol calls. */
export interface ProtocolHost {
  /** the present values */
  values(): Values;
  send(event: Omit<SentEvent, "held" | "wanted" | "tab" | "near">): void;
  /** called before the value set by keys is sent */
  committing(): void;
  /** ask for news without running Python, and report to `heard`; false where there is no address to ask */
  poll(number: number): boolean;
}
export type Phase = "drag" | "commit" | "tick" | "action" | "missing" | "look" | "seen";
/** How a control was moved. */
export type Move = "drag" | "commit" | "key";

/** The arguments that Streamlit passes to a component. */
export interface Component {
  data: Message | SameMessage;
  parentElement: HTMLElement;
  setStateValue(name: string, value: SentEvent): void;
}

/** The place of a figure that is loaded later. */
export interface Place extends Omit<Component, "data"> {
  data: LaterMessage;
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
  good: string;
  danger: string;
  muted: string;
  other: string;
  pinned: string;
  key: string;
}

/** The drawing calls of layers, which a canvas and the SVG surface have. */
export interface Surface {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  globalAlpha: number;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
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
  fillText(text: string, x: number, y: number, width?: number): void;
  strokeText(text: string, x: number, y: number, width?: number): void;
  textAlign: CanvasTextAlign;
  setLineDash(dash: number[]): void;
  drawImage(canvas: HTMLCanvasElement, x: number, y: number, w: number, h: number): void;
}

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}
/** From and to. */
export type Span = [number, number];
/** The view of a panel in the units of its axes: log10 on a logarithmic one. */
export interface View {
  x: Span;
  y: Span;
}
/** A tick: its value and its text. */
export interface Tick {
  at: number;
  text: string;
}
/** A text beside an axis and its pixel; the lines that it is broken into, where it is. */
export type Label = Tick & { lines?: string[] };
/** The layout of one axis in pixels; `turn` in degrees. */
export interface Side {
  grid: number[];
  labels: Label[];
  turn: number;
  title: string[];
  titleAt: number;
}
/** The layout of a still frame. */
export interface Axes {
  area: Area;
  x: Side;
  y: Side;
  top: Side | null;
}
/** Values to pixels and back. */
export interface Scales {
  x(value: number): number;
  y(value: number): number;
  invX(pixel: number): number;
  invY(pixel: number): number;
  area: Area;
}
/** What layers are drawn with: values, pixels, colours. */
export interface Env extends Scales {
  get(name: Slot): Numbers;
  scalar(name: ScalarSlot): number;
  shape(name: Slot): number[];
  place(dim: string): number;
  ready(layer: Layer): boolean;
  /** how many of a layer's draws have fallen, and for how many more one is on its way; all where it is not given */
  fallen?(layer: LayerOf<"rain" | "cards" | "phones">, upto: number): { place: number; flight: number };
  /** what words in the picture are filled, measured and written with; where it is not given, none are written */
  lettering?: {
    fill(template: string): string;
    measure(text: string, font: string): number;
    type: { size: number; family: string };
  };
  colours: Colours;
}

/** The function that draws a layer of one kind. */
export type Drawing<K extends Kind> = (ctx: Surface, layer: LayerOf<K>, env: Env) => void;

/** A control in the page. */
export interface ControlView {
  root: HTMLElement;
  update(spec: ControlSpec, value: Value): void;
  show(value: Value): void;
}

/** The occasions that tests and benchmarks can listen to: an event is sent, a frame is drawn after an answer. */
export type Happened = "sent" | "drawn";
/** The part of a figure for tests and benchmarks: docs/live.md, "For tests". */
export interface TestSurface {
  readonly stats: { mounts: number; draws: number; events: number; drawTime: number; waiting: boolean };
  readonly values: Values;
  /** the values of the newest answer that was drawn */
  readonly answered: Values;
  /** nothing is held, waits, is under way or has to be drawn */
  readonly settled: boolean;
  /** what a screen reader calls the sliders that can be moved, and whether only Python can answer them */
  readonly sliders: [string, boolean][];
  /** the colour of the ground, as the figure takes it from the theme */
  readonly ground: string;
  /** an array at the present values */
  slice(name: string): number[];
  /** the shape of an array as it was sent; null when there is none of this name */
  shape(name: string): number[] | null;
  /** the outcome in view: its number from 0 on, null for this draw; whether the clock runs, and the person is out */
  readonly outcome: { at: number | null; running: boolean; out: boolean };
  /** how many layers a panel draws, pinned ones included */
  layers(panel: string): number;
  /** how many of them are pinned */
  pinned(panel: string): number;
  /** the view of a panel in the units of its axes */
  view(panel: string): View | null;
  /** `seq`: of the event, or of the newest answer */
  listen(listener: (what: Happened, event: { seq: number; phase: Phase | null }) => void): void;
  /** change what is sent */
  intercept(change: (event: SentEvent) => SentEvent): void;
}

declare global {
  interface Window {
    __dpLive?: Record<string, TestSurface>;
  }
}
