// The types that the modules hand to each other. What Python sends is described in message.d.ts, which is
// written from its classes. Read by the type checker only.

import type { ArraySpec, ControlSpec, LaterMessage, Layer, Message, SameMessage } from "./message.d.ts";

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
  /** how many touches there had been when it happened */
  since: number;
  /** those of the first sending, because what is sent again has to be the same; null before it */
  values: Values | null;
}
/** The event under way: sent as `first`, and `again` so many times since. */
export interface UnderWay extends Waiting {
  values: Values;
  first: number;
  again: number;
}
/** What the protocol reads of a message: the newest event that Python had heard, in which session. */
export interface Answer {
  seq: number;
  session: string;
  /** whether an array is named that is not here */
  missing: boolean;
  busy: boolean;
  /** nothing is new but the progress */
  same: boolean;
}
/** What to do with an answer: nothing, or draw it. */
export type Verdict =
  | { draw: false; why: "older" | "incomplete" }
  | {
      draw: true;
      /** something of the reader's is not answered yet */
      mine: boolean;
      /** it answers Reset: what plays is as at first, too */
      anew: boolean;
      /** the controls whose value is the reader's, not the answer's */
      keeps(name: string): boolean;
    };
/** What the figure does for the protocol. */
export interface ProtocolHost {
  /** the values of now */
  values(): Values;
  send(event: Omit<SentEvent, "held" | "wanted" | "tab" | "near">): void;
  /** keys have come to rest and are told next */
  committing(): void;
  /** look elsewhere whether there is news, and say so to `heard`; false where only Python can tell */
  glance(number: number): boolean;
}
export type Phase = "drag" | "commit" | "tick" | "action" | "missing" | "look" | "seen";
/** How a control was moved. */
export type Move = "drag" | "commit" | "key";

/** What Streamlit hands to a component. */
export interface Component {
  data: Message | SameMessage;
  parentElement: HTMLElement;
  setStateValue(name: string, value: SentEvent): void;
}

/** A place where a figure will be. */
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
/** What a panel shows, in the units of its axes: logarithms to base ten on a logarithmic one. */
export interface View {
  x: Span;
  y: Span;
}
/** A tick: at which value, and what it says. */
export interface Tick {
  at: number;
  text: string;
}
/** Words beside an axis: at which pixel. */
export type Label = Tick;
/** What stands along one side of a panel, in pixels; `turn` in degrees. */
export interface Side {
  grid: number[];
  labels: Label[];
  turn: number;
  title: string[];
  titleAt: number;
}
/** Where everything of a still frame stands. */
export interface Axes {
  area: Area;
  x: Side;
  y: Side;
}
/** Between values and pixels. */
export interface Scales {
  x(value: number): number;
  y(value: number): number;
  invX(pixel: number): number;
  invY(pixel: number): number;
  area: Area;
}
/** What layers need to know: values, pixels, colours. */
export interface Env extends Scales {
  get(name: Slot): Numbers;
  scalar(name: ScalarSlot): number;
  shape(name: Slot): number[];
  place(dim: string): number;
  ready(layer: Layer): boolean;
  colours: Colours;
}

/** How a layer of one kind is drawn. */
export type Drawing<K extends Kind> = (ctx: Surface, layer: LayerOf<K>, env: Env) => void;

/** A control in the page. */
export interface ControlView {
  root: HTMLElement;
  update(spec: ControlSpec, value: Value): void;
  show(value: Value): void;
}

/** What a test or a benchmark can listen to: an event is sent, a frame is drawn after an answer. */
export type Happened = "sent" | "drawn";
/** What tests and benchmarks see of a figure: docs/live.md, "For tests". */
export interface TestSurface {
  readonly stats: { mounts: number; draws: number; events: number; drawTime: number; waiting: boolean };
  readonly values: Values;
  /** the values of the newest answer that was drawn */
  readonly answered: Values;
  /** nothing is held, waits, is under way or has to be drawn */
  readonly settled: boolean;
  /** the colour of the ground, as the figure takes it from the theme */
  readonly ground: string;
  /** an array at the present values */
  slice(name: string): number[];
  /** the shape of an array as it was sent; null when there is none of this name */
  shape(name: string): number[] | null;
  /** how many layers a panel draws, pinned ones included */
  layers(panel: string): number;
  /** how many of them are pinned */
  pinned(panel: string): number;
  /** what a panel shows, in the units of its axes: the whole, or what a zoom has left */
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
