/**
 * The decision record as Markdown, after the template of MADR 4 (adr/madr, `template/adr-template.md`). Every text that
 * comes from files is escaped.
 */
import { type DecisionArgument, escapeMarkdown, markdownTables, type StudyTable } from '@topo-bench/report';

export interface RecordParts {
  /** `YYYY-MM-DD`. */
  date: string;
  title: string;
  /** Sentences. */
  context: readonly string[];
  question: string;
  drivers: readonly string[];
  options: readonly { name: string; arguments: readonly DecisionArgument[] }[];
  chosen: string;
  /** A clause after "because". */
  justification: string;
  /** Sentences of the runs. */
  answer: readonly string[];
  table?: StudyTable | undefined;
  onTable: readonly string[];
  /** Validity, and what simulated figures stand for. */
  remarks: readonly string[];
  sensitivity: readonly string[];
  confirmation: { command: string; premises: readonly string[]; thresholds: readonly string[] };
  /** Lines of the notes of the meeting. */
  notes: readonly string[];
  /** Commands that repeat the figures, and facts on the runs. */
  sources: readonly string[];
  commands: readonly string[];
}

export function recordText(parts: RecordParts): string {
  const { chosen, options, confirmation } = parts;
  const own = options.find(({ name }) => name === chosen);
  const blocks = [
    `---\nstatus: proposed\ndate: ${parts.date}\n---`,
    `# ${escapeMarkdown(parts.title)}`,
    '## Context and Problem Statement',
    paragraph(parts.context),
    escapeMarkdown(parts.question),
    '## Decision Drivers',
    list(parts.drivers),
    '## Considered Options',
    list(options.map(({ name }) => name)),
    '## Decision Outcome',
    `Chosen option: "${escapeMarkdown(chosen)}", because ${escapeMarkdown(parts.justification)}.`,
    list([...parts.answer, ...parts.onTable]),
    ...(parts.table ? markdownTables([parts.table]) : []),
    ...parts.remarks.map(escapeMarkdown),
    '### Consequences',
    argumentList(own?.arguments ?? []),
    '### Sensitivity',
    parts.sensitivity.length > 0
      ? list(parts.sensitivity)
      : 'No factor with an order varies in these runs: at which rate or size another option overtakes is not known.',
    '### Confirmation',
    `Run \`${codeText(confirmation.command)}\`: exit code 0 while all of this holds, 1 with what no longer does.`,
    list([
      ...confirmation.premises.map((text) => `Premise: ${text}`),
      ...confirmation.thresholds.map((text) => `Threshold: ${text}`),
    ]),
    '## Pros and Cons of the Options',
    ...options.flatMap((option) => [`### ${escapeMarkdown(option.name)}`, argumentList(option.arguments)]),
    '## More Information',
    ...(parts.notes.length > 0 ? ['Notes from the decision:', list(parts.notes)] : []),
    list(parts.sources),
    parts.commands.map((command) => `* \`${codeText(command)}\``).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function paragraph(sentences: readonly string[]): string {
  return sentences.map(escapeMarkdown).join(' ');
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `* ${escapeMarkdown(text)}`).join('\n');
}

const tones: Record<DecisionArgument['tone'], string> = { good: 'Good', neutral: 'Neutral', bad: 'Bad' };

function argumentList(all: readonly DecisionArgument[]): string {
  return all.map(({ tone, text }) => `* ${tones[tone]}, because ${escapeMarkdown(text)}`).join('\n');
}

/** Text within a code span, where nothing can be escaped: what would end it, or start a line, is left out. */
function codeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]+/gu, ' ');
}
