// The events that the server sends to all phones of a room (ui/classroom/event_stream.py), and the parts that activities show.

export interface News {
  phase: "waiting" | "open" | "shown" | "closed";
  turn: number;
  joined: number;
  answered: number;
  /** Those whose answers count: an answer that lies in none of them has to be sent again. */
  boxes?: string[];
  runs?: { kind: string };
  result?: unknown;
}

export interface PollBrief {
  kind: string;
  question: string;
  /** The number of chances in 2³² at which the person answers. */
  own: number;
  coin: string;
  price: string;
  /** What an attacker who sees the answer knows: of "no", of "yes". */
  known: [Known, Known];
}

export interface Known {
  marked: number;
  heard: string;
  told: string;
}

export interface PollResult {
  few?: boolean;
  least: number;
  n: number;
  yes: number;
  estimate: number;
  low: number;
  high: number;
}

export interface BetsResult {
  students: number;
  /** In words, with its interval; "" where no bets came. */
  rate: string;
  /** What an attacker can reach, in words. */
  reach: string;
}

export interface PredictBrief {
  kind: string;
  question: string;
  along: string;
  places: string[];
  ends: [number, number];
  levels: number;
}

export interface PredictResult {
  truth: number[];
}

export interface ExerciseBrief {
  kind: string;
  title: string;
  text: string;
  parts: { name: string; kind: string; label: string; unit?: string; options?: Record<string, string> }[];
}

export interface ExerciseResult {
  answered: number;
  right: number;
}

/** The part of an answer that only this phone knows: the coins, and what the server sent to it alone. */
export interface Told {
  box?: string;
  device?: boolean;
  hits?: number;
  present?: number[];
  right?: boolean;
  title?: string;
  feedback?: string;
}

export type Give = (answer: unknown, kept: Told) => void;

export interface Screen {
  /** Whether the server first sends each phone a message of its own. */
  personal?: boolean;
  ask(news: News, mine: unknown, give: Give): Node[];
  sent(news: News, answer: unknown, told: Told): Node[];
  shown(news: News, answer: unknown): Node[];
}
