/** All routes of the page below `/api/v1`, for docs/view-api.md (scripts/view-api.ts); a test compares it with the app. */

export type RouteEntry = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly about: string;
  /** By name. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: string;
  /** For a stream: texts by the name of the event. */
  readonly events?: Readonly<Record<string, string>>;
  /** Besides those that any route has. */
  readonly errors?: Readonly<Record<number, string>>;
};

const noRun = { 404: 'There is no such run.' };
const noSet = { 404: 'There is no such run-set.' };
const acts = { 403: 'The server was started with `--read-only`.', ...noRun };

const noPair = { 404: 'One of the runs, or of their branches, is not here.' };
const compared = {
  'a`, `b': 'the ids of two runs, or twice the same',
  'branchA`, `branchB': 'a branch of each; left out: the root',
};
const changed =
  '`models`, `modelSettings`, `settings`, `prompts` (by name), `limits` (`toolCalls`, `tokens`, `costUsd`, `minutes`), `dryRun`';
const begun =
  '`{"command", "run"}`: the command that does the same, and the id of the run; with `dryRun` the command and what it would do';
const refusedWords = 'The command refused it, and why.';

export const routeTable: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: '/store',
    about: 'Whose server this is.',
    answer:
      '`{"home", "version", "isReadOnly", "nowMs", "isShared", "calledAs"}`: whether several hosts share the store, and how its user calls Polya',
  },
  {
    method: 'GET',
    path: '/runs',
    about:
      'A window of the list of runs, over all runs of the store: those that wait for a person, those that run, those that were interrupted, then those that have ended. Totals and filters count every run.',
    query: {
      words: 'only runs whose row holds all of these words',
      state:
        'only these states; so with `family`, `model`, `agent` and `host`; each may be given several times',
      sinceHours: 'only runs with an event in the last so many hours',
      sort: 'newest first, dearest first, or longest silent first',
      offset: 'the first row: 0',
      limit: 'how many rows: 200, at most 1,000',
    },
    answer: '`{"version", "counts", "facets", "totals", "groups", "offset", "runs": [RunItem]}`',
  },
  {
    method: 'GET',
    path: '/runs/stream',
    about: 'That the list of runs has changed.',
    answer: 'a stream',
    events: {
      changed:
        '`{"version", "counts"}`: of all runs; `counts.unread` are those whose journals are still read',
    },
  },
  {
    method: 'GET',
    path: '/runs/:id',
    about:
      'A run as `polya runs show --json` tells it, with `item` (its RunItem), `statement`, `gold` (the gold answer) and `damage`.',
    answer: 'the run',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/events',
    about: 'Its events, each in a line of words, without what was sent and said.',
    query: { after: 'only events of a higher number', limit: 'how many: 1,000, at most 5,000' },
    answer: 'lines of JSON (`application/jsonl`): an EventItem each',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/events/:seq',
    about: 'One event whole, as docs/journal.md describes it.',
    answer: 'the event',
    errors: { 404: 'There is no such run, or no such event in it.' },
  },
  {
    method: 'GET',
    path: '/runs/:id/events/:seq/hidden',
    about:
      'What of an event no model of its run was shown: gold answers, inputs of programs. Not what `--export` leaves out because it may not be passed on.',
    answer: '`{"places": [HiddenPlace]}`: where in its body, and the text',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/header',
    about: 'How it was begun, but for the problem: what a fork may change.',
    answer: '`{"agent", "models", "limits", "prompts"}`',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/search',
    about: 'The numbers of its events that hold every word.',
    query: {
      words: 'with spaces between them',
      after: 'only events of a higher number',
      limit: 'how many: 1,000, at most 5,000',
    },
    answer: '`{"hits", "next"}`; `next` is the number to go on after, null where all was looked at',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/panels',
    about:
      'What the app of its family shows of it: tables, grids, charts, formulas. All of it is text but `html` of formulas, which is typeset and escaped.',
    query: { event: 'the number of an event: what that has more to tell than its line, if it has' },
    answer: '`{"panels": [Panel]}`; none where the family has no app, or nothing is known yet',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/documents/:name',
    about: 'What the app of its family makes of it as a file: of a proof `proof.md`.',
    answer: 'the file',
    errors: { 404: 'There is no such run, or no such document of it.' },
  },
  {
    method: 'POST',
    path: '/runs/:id/drawings',
    about:
      'A picture that a tool of its problem makes, in the sandbox: of a contest, what the official visualizer draws of a case.',
    body: '`{"seq", "case"}`: the event that settles a candidate, and the name of a case, as a Drawings block names them',
    answer:
      'a Drawing; `picture` is an address that holds it whole, made to be shown as an image and never as a page',
    errors: {
      ...acts,
      400: 'The body names neither.',
      409: 'It cannot be drawn here, why, and what to do.',
    },
  },
  {
    method: 'GET',
    path: '/runs/:id/forks',
    about: 'The tree of forks that the run stands in.',
    answer: 'the tree',
    errors: noRun,
  },
  {
    method: 'GET',
    path: '/runs/:id/stream',
    about: 'The events of a run, then what is new in it.',
    query: {
      after: 'only events of a higher number',
      near: 'of more than 2,000 events, those around this number are told before all; 0 is the end',
    },
    answer: 'a stream that goes on where its reader left off',
    events: {
      near: '`{"run", "events"}`: the run without its totals, and EventItems that come again in their order',
      event: 'an EventItem; its `id` is the number of the event',
      events: 'EventItems, where there are more than 200; its `id` is the number of the last',
      run: 'the run, as above, when it has changed',
      saying: 'what its models are saying just now: `[{"branch", "role", "characters", "tail"}]`',
      gone: 'the run has been deleted',
    },
    errors: noRun,
  },
  {
    method: 'POST',
    path: '/runs/:id/:act{stop|tell|answer}',
    about: 'As `polya runs stop`, `tell` and `answer`. `answer` is for the oldest open question.',
    body: '`{"text"}`; none for `stop`',
    answer: '`{"done"}`',
    errors: { ...acts, 409: 'It cannot be done now, and why.' },
  },
  {
    method: 'POST',
    path: '/runs/:id/limits',
    about: 'As `polya runs limit`: what a run may use from now on, also where it is resumed.',
    body: '`{"costUsd", "tokens", "toolCalls"}`: those that change',
    answer: '`{"done"}`',
    errors: { ...acts, 409: 'It has ended, or that is no limit, and why.' },
  },
  {
    method: 'GET',
    path: '/compare',
    about: 'Two runs, or two branches, side by side: where they part, and what each came to.',
    query: compared,
    answer: 'the comparison; `rows` says how many rows it has',
    errors: noPair,
  },
  {
    method: 'GET',
    path: '/compare/rows',
    about: 'Rows of a comparison.',
    query: { ...compared, from: 'the first of them: 0', limit: 'how many: 200' },
    answer: '`{"from", "rows"}`',
    errors: noPair,
  },
  {
    method: 'GET',
    path: '/parts',
    about:
      'Agents with their settings, and families with what a problem is named by: forms are made from them.',
    answer: '`{"agents", "families"}`, as `polya agents --json` and `polya families --json` tell them',
  },
  {
    method: 'POST',
    path: '/runs',
    about: 'Begins a run, as `polya run`. It lives on when this server ends.',
    body: `\`{"family", "agent", "problem", "seed"}\`, and ${changed}`,
    answer: begun,
    errors: { 400: refusedWords, 403: acts[403] },
  },
  {
    method: 'POST',
    path: '/runs/:id/fork',
    about: 'Forks a run, as `polya runs fork`.',
    body: `\`{"at", "hint"}\`, and ${changed}; what is left out stays as it is`,
    answer: begun,
    errors: { ...acts, 400: refusedWords },
  },
  {
    method: 'POST',
    path: '/runs/:id/resume',
    about: 'Goes on with a run, as `polya runs resume`.',
    body: '`{"dryRun", "limits"}`, limits as below',
    answer: begun,
    errors: { ...acts, 400: refusedWords },
  },
  {
    method: 'GET',
    path: '/sets',
    about: 'Run-sets, the newest first, at most 200.',
    answer: '`{"sets": [SetItem]}`',
  },
  {
    method: 'GET',
    path: '/sets/:id',
    about: 'A run-set as `polya run-set show --json` tells it.',
    answer: 'the set',
    errors: noSet,
  },
  {
    method: 'GET',
    path: '/sets/:id/stream',
    about: 'A run-set as it goes on: all rows first, then those that change.',
    answer: 'a stream; a reader that comes back is told all rows again',
    events: {
      set: 'a SetHead: lines and columns of its table, counts, what is spent, how long it may still take',
      rows: 'SetRowItems, at most 200; the last one of an `index` counts',
      gone: 'the set has been deleted',
    },
    errors: noSet,
  },
  {
    method: 'GET',
    path: '/questions',
    about: 'What waits for a person in all runs that have not ended, the oldest first.',
    answer: '`{"questions": [QuestionItem]}`',
  },
  {
    method: 'POST',
    path: '/runs/:id/questions/:seq',
    about: 'Answers the question that the event `seq` asks, as `polya runs answer`.',
    body: '`{"answer"}`: a text; in a model\'s place also what docs/scripts.md says, such as `{"text", "toolCalls"}`',
    answer: '`{"answered"}`: the question in a line',
    errors: {
      ...acts,
      400: 'The body holds no answer.',
      409: 'It is not asked any more, or the answer does not fit.',
    },
  },
  {
    method: 'GET',
    path: '/cost',
    about: 'What was spent, as `polya cost` tells it.',
    query: {
      by: '`model` (default), `role`, `run`, `day` or `family`',
      sinceMs: 'only calls that ended at this time or later, in milliseconds since 1970',
    },
    answer: 'a CostTable',
    errors: { 400: 'It cannot be added up by that.' },
  },
  {
    method: 'GET',
    path: '/hosts',
    about: 'The workers that live, and what each has in hand, as `polya fleet status` tells them.',
    answer: '`{"hosts": [HostItem]}`',
    errors: { 404: 'The store is one machine’s.' },
  },
];
