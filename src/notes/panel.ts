/** What an app shows of a run beside its events. An app makes panels of a journal, the page draws them and knows no family. Plain JSON. */

export type Panel = {
  readonly title: string;
  /** The current state in a sentence. */
  readonly sentence: string;
  readonly blocks: readonly Block[];
  /** Shown beside the blocks: the question, rounds, counts. */
  readonly aside?: readonly Block[];
};

export type Block =
  | Facts
  | Prose
  | Code
  | Table
  | Part
  | Grids
  | Chart
  | Heat
  | Lineage
  | Formulas
  | Documents;

/** The event with the details: the page opens it. */
type LabeledText = { readonly seq?: number };

export type Facts = {
  readonly kind: 'facts';
  /** `run`: another run that it leads to. */
  readonly facts: readonly (LabeledText & {
    readonly label: string;
    readonly value: string;
    readonly run?: string;
  })[];
};

export type Prose = LabeledText & { readonly kind: 'text'; readonly text: string; readonly tone?: PanelTone };

export type PanelTone = 'good' | 'bad' | 'soft';

/** A program, or what one printed: folded to its first lines. */
export type Code = LabeledText & {
  readonly kind: 'code';
  readonly title: string;
  readonly text: string;
  /** What it was made of: where they differ is shown. */
  readonly before?: { readonly title: string; readonly text: string };
};

export type Table = {
  readonly kind: 'table';
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly isNumber?: boolean }[];
  readonly rows: readonly (LabeledText & {
    readonly cells: readonly string[];
    readonly tone?: PanelTone;
    /** Which of them it is about: the best, the chosen one. */
    readonly isMarked?: boolean;
  })[];
};

/** Blocks that belong together: a round, a hypothesis. Its texts stand beside its drawings where there is room. */
export type Part = LabeledText & {
  readonly kind: 'part';
  readonly title: string;
  /** The current state in a few words. */
  readonly about?: string;
  readonly tone?: PanelTone;
  /** Only its title is shown until somebody opens it. */
  readonly isFolded?: boolean;
  readonly blocks: readonly Block[];
};

/** Grids of ARC's ten colours, side by side. `marks`: the cells, as row and column, that differ from what is expected. */
export type Grids = {
  readonly kind: 'grids';
  readonly title: string;
  /** Their relation in a few words. */
  readonly about?: string;
  readonly tone?: PanelTone;
  readonly grids: readonly (LabeledText & {
    /** No model was shown it: folded until somebody asks. */
    readonly isUnseen?: boolean;
    /** Only its marks are drawn. */
    readonly isDifference?: boolean;
    readonly label: string;
    readonly cells: readonly (readonly number[])[];
    readonly marks?: readonly (readonly [row: number, column: number])[];
  })[];
};

export type Chart = {
  readonly kind: 'chart';
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    /** A value holds until the next one: the best so far. */
    readonly isStep?: boolean;
    readonly points: readonly (LabeledText & {
      readonly x: number;
      readonly y: number;
      readonly about?: string;
    })[];
  }[];
  /** The same along other axes, to choose from. */
  readonly otherwise?: readonly Pick<Chart, 'x' | 'series'>[];
};

/** `label` holds the unit: `score`, `minutes`, `US dollars`. */
export type Axis = { readonly label: string };

/**
 * A line for each of `rows`, a column for each of `columns`. `shade` is from 0, the best of its column, to 1; null where
 * there is no value. `value`: by which two rows are compared, where a shade says too little.
 */
export type Heat = {
  readonly kind: 'heat';
  readonly title: string;
  readonly rows: readonly (LabeledText & { readonly label: string })[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly ({
    readonly shade: number;
    readonly text: string;
    readonly value?: number;
  } | null)[])[];
};

/** Who came from whom, in the order of their making, in bands (islands, lines of a search). */
export type Lineage = {
  readonly kind: 'lineage';
  readonly title: string;
  readonly nodes: readonly (LabeledText & {
    readonly id: string;
    readonly band: string;
    readonly parent: string | null;
    /** Others that it was shown. */
    readonly inspirations?: readonly string[];
    /** A number or word on it, and a sentence for who asks. */
    readonly label: string;
    readonly about: string;
    readonly tone?: PanelTone;
    readonly isBest?: boolean;
  })[];
};

/**
 * A text with formulas, paragraph by paragraph, and what was found in each. `html`: as the server typeset it, MathML and
 * escaped text, never a model's own markup.
 */
export type Formulas = LabeledText & {
  readonly kind: 'formulas';
  readonly title: string;
  readonly lines: readonly {
    /** The line of the original text, from 1. */
    readonly number?: number;
    readonly html: string;
    readonly findings: readonly (LabeledText & {
      readonly title: string;
      readonly html: string;
      readonly tone: PanelTone;
    })[];
  }[];
};

/** What can be saved: `GET /runs/ID/documents/NAME` answers with it. */
export type Documents = { readonly kind: 'documents'; readonly names: readonly string[] };
