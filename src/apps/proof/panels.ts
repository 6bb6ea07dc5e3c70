/**
 * A proof on the page: each version typeset, and beside its paragraphs what graders found in them; rounds and counters,
 * rebuttals, the whole reports. What models wrote is typeset without a link or a style of theirs. Pure.
 */
import { type Place, placesIn } from '../../agents/proof/quotes.ts';
import type { Event } from '../../core/event.ts';
import type { Block, Formulas, Panel, PanelTone } from '../../notes/panel.ts';
import { pointsText } from '../../notes/proof.ts';
import { count, grouped } from '../../text/format.ts';
import { renderedForPage } from './export/page-html.ts';
import { type ProofAttempt, type ProofRecord, proofRecord, type Standing } from './record.ts';
import {
  choiceLines,
  counterHead,
  counterRows,
  findingLines,
  findingTitle,
  findRebuttals,
  fullReport,
  hintsOf,
  reportTitle,
  statementOf,
} from './report.ts';

type Report = ProofRecord['reports'][number];
type Finding = Formulas['lines'][number]['findings'][number] & {
  readonly line: number;
  /** Null where the proof does not have its words. */
  readonly place: Place | null;
};

/** A draft, and what was found in it until the next one. */
type Version = {
  readonly text: string;
  readonly attempt: number;
  readonly seq?: number;
  readonly findings: ProofRecord['findings'];
  /** What it was made of. */
  readonly before?: { readonly text: string; readonly seq: number };
};

export function panels(events: readonly Event[]): readonly Panel[] {
  const record = proofRecord(events);
  const { attempts, proof, reports, grading } = record;
  const loaded: readonly Version[] =
    attempts.length === 0 && proof ? [{ text: proof.text, attempt: 0, findings: [] }] : [];
  const versions = [...attempts.flatMap((attempt) => versionsOf(attempt, record)), ...loaded];
  if (versions.length === 0 && reports.length === 0) return [];
  // What was handed in comes first, then what it came from, the newest first.
  const shown = versions.findLast(({ text }) => text.trim() === proof?.text.trim()) ?? versions.at(-1);
  const siblings = versions.filter((version) => version !== shown).toReversed();
  const hints = hintsOf(record).map(({ from, hint }) => `${from}: ${hint}`);
  return [
    {
      title: 'Proof',
      sentence: sentenceOf(record, shown),
      aside: [
        ...attempts.map((attempt) => roundsTable(attempt)),
        ...countFacts(record),
        ...(proof ? [{ kind: 'documents', names: ['proof.md'] } as const] : []),
      ],
      blocks: [
        ...textPart('The problem', statementOf(record) ?? ''),
        ...(shown ? [versionBlock(shown, grading), ...changeOf(shown)] : []),
        ...findRebuttals(record).map(({ heading, text }) => formulas(heading, text)),
        ...folded('Earlier versions', siblings.map(earlierPart)),
        ...linesPart('Hints', hints),
        ...linesPart('Findings', findingLines(record)),
        ...linesPart('The choice', choiceLines(record)),
        ...folded(
          'Reports',
          reports.map((report) => reportPart(report, record)),
        ),
      ],
    },
  ];
}

function folded(title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0
    ? []
    : [{ kind: 'part', title, about: grouped(blocks.length), isFolded: true, blocks }];
}

function earlierPart(version: Version): Block {
  const found = version.findings.length;
  return {
    kind: 'part',
    title: `A version of attempt ${version.attempt}`,
    about: found === 0 ? 'nothing was found in it' : count(found, 'finding'),
    ...(found === 0 ? {} : { tone: 'bad' }),
    isFolded: true,
    blocks: [versionBlock(version, null), ...changeOf(version)],
  };
}

function reportPart(report: Report, record: ProofRecord): Block {
  return {
    kind: 'part',
    title: reportTitle(report, record),
    tone: report.pass ? 'good' : 'bad',
    seq: report.seq,
    isFolded: true,
    blocks: [formulas('', fullReport(report))],
  };
}

function versionsOf({ number, rounds }: ProofAttempt, { findings }: ProofRecord): readonly Version[] {
  const drafts = rounds.flatMap((round) => round.drafts);
  return drafts.map(({ text, seq }, at) => {
    const next = drafts[at + 1]?.seq ?? Number.POSITIVE_INFINITY;
    const own = findings.filter((finding) => finding.seq > seq && finding.seq < next);
    const before = drafts[at - 1];
    return { text, attempt: number, seq, findings: own, ...(before ? { before } : {}) };
  });
}

/** As it was written: formulas that are typeset cannot be laid against each other word by word. */
function changeOf({ text, before }: Version): readonly Block[] {
  if (!before || before.text === text) return [];
  const title = `the version of event ${before.seq}`;
  return [{ kind: 'code', title: 'The text as it was written', text, before: { title, text: before.text } }];
}

const standingWords: Readonly<Record<Standing, string>> = {
  accepted: 'Accepted.',
  doubtful: 'Accepted with doubts.',
  partial: 'No proof was accepted; this is the best partial result.',
  draft: 'No proof is accepted yet; this is the last draft.',
  passed: 'The proof was graded, and passed.',
  failed: 'The proof was graded, and did not pass.',
  undecided: 'The proof is being graded.',
};

function sentenceOf({ proof, end, grading, reports }: ProofRecord, version: Version | undefined): string {
  const found = grading
    ? `The graders commented on ${count(grading.findings.length, 'place')}${pointsText(grading.points)}.`
    : `${count(reports.length, 'report')} of graders ${reports.length === 1 ? 'was' : 'were'} written.`;
  const which = version?.seq === undefined ? '' : `You see the version of event ${version.seq}.`;
  const method = proof ? standingWords[proof.standing] : 'There is no proof yet.';
  const cause = end?.solution?.detail ?? end?.error?.message ?? '';
  // The end of a grading says what came of it, or why nothing did.
  const isGraded = proof && ['passed', 'failed', 'undecided'].includes(proof.standing);
  const first =
    isGraded && end ? cause || 'The grading ended without a verdict.' : `${method} ${cause}`.trim();
  return [first, which, found].filter(Boolean).join(' ');
}

/** A row an iteration, as `polya proof show` has it, without what only some of them have. */
function roundsTable(attempt: ProofAttempt): Block {
  const seqs = attempt.rounds.map(({ verification, counters }) => verification?.seq ?? counters?.seq);
  const verdicts = attempt.rounds.map(({ verification }) => verification?.verdict);
  const lines = ['iteration', 'passes', 'errors', 'verification'];
  const count = lines.map((name) => counterHead.indexOf(name));
  const rows = counterRows(attempt).map((cells, at) => ({
    cells: count.map((place) => String(cells[place] ?? '')),
    ...(seqs[at] === undefined ? {} : { seq: seqs[at] }),
    ...verdictTone(verdicts[at]),
  }));
  const columns = ['round', 'passes', 'errors', 'verdict'].map((title) => ({ title }));
  return { kind: 'table', title: `Attempt ${attempt.number}`, columns, rows };
}

function verdictTone(verdict: 'pass' | 'fail' | 'void' | undefined): { readonly tone?: PanelTone } {
  return verdict === undefined || verdict === 'void' ? {} : { tone: verdict === 'pass' ? 'good' : 'bad' };
}

function countFacts(record: ProofRecord): readonly Block[] {
  const { reports, header } = record;
  const passed = reports.filter(({ pass }) => pass).length;
  const needed = header?.agent.settings.passes;
  const entries = [
    { label: 'reports', value: String(reports.length) },
    { label: 'passed', value: String(passed) },
    { label: 'rebuttals', value: String(findRebuttals(record).length) },
    ...(typeof needed === 'number' ? [{ label: 'passes needed in a row', value: String(needed) }] : []),
  ];
  return [{ kind: 'facts', facts: entries }];
}

function versionBlock(version: Version, grading: ProofRecord['grading']): Formulas {
  const findings = findingsOn(version.text, grading?.findings ?? version.findings);
  const title = version.seq === undefined ? 'The proof' : `The proof of attempt ${version.attempt}`;
  return {
    ...formulas(title, version.text, findings),
    ...(version.seq === undefined ? {} : { seq: version.seq }),
  };
}

/** Paragraph by paragraph: none of its formulas reaches over the end of one. */
function formulas(title: string, text: string, findings: readonly Finding[] = []): Formulas {
  const paragraphs = splitParagraphs(text);
  const places = findings.flatMap(({ place, tone }) => (place && tone === 'bad' ? [place] : []));
  const lines = paragraphs.map(({ text: words, number, start }, at) => {
    const next = paragraphs[at + 1]?.number ?? Number.POSITIVE_INFINITY;
    const own = findings.filter(({ line }) => line < next && (line >= number || at === 0));
    const html = renderedForPage(
      words,
      places.map((mark) => ({ start: mark.start - start, end: mark.end - start })),
    );
    return { number, html, findings: own.map(({ line: _, place: _place, ...finding }) => finding) };
  });
  return { kind: 'formulas', title, lines };
}

/** `number`: of its first line, from 1; `start`: of its first character. A block of code is one of them, blank lines and all. */
function splitParagraphs(text: string): readonly Readonly<{ text: string; number: number; start: number }>[] {
  const found: { text: string; number: number; start: number }[] = [];
  let start = 0;
  let isCode = false;
  let isOpen = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const last = found.at(-1);
    if (line.trim() === '' && !isCode) isOpen = false;
    else if (last && isOpen) last.text += `\n${line}`;
    else {
      found.push({ text: line, number: at + 1, start });
      isOpen = true;
    }
    start += line.length + 1;
  }
  return found;
}

function findingsOn(
  text: string,
  found: readonly (ProofRecord['findings'][number] | GradedFinding)[],
): readonly Finding[] {
  const placeOf = placesIn(text);
  return found.map((finding, index) => {
    const { lines, quote, explanation, answer = 'open', why = '' } = finding;
    const reply = why === '' ? '' : `\n\nA reviewer: ${why}`;
    return {
      line: lines?.first ?? 1,
      place: placeOf(quote),
      title: `${findingTitle(finding, index)}${answer === 'open' ? '' : `, ${answer}`}`,
      html: renderedForPage(`${lines ? '' : `${quote}\n\n`}${explanation}${reply}`),
      tone: answer === 'open' ? 'bad' : 'soft',
      ...('seq' in finding ? { seq: finding.seq } : {}),
    };
  });
}

type GradedFinding = NonNullable<ProofRecord['grading']>['findings'][number];

function textPart(title: string, text: string): readonly Block[] {
  if (text.trim() === '') return [];
  return [{ kind: 'part', title, isFolded: true, blocks: [formulas('', text)] }];
}

function linesPart(title: string, lines: readonly string[]): readonly Block[] {
  return textPart(title, lines.map((line) => `- ${line}`).join('\n'));
}
