/**
 * A YAML text: an editor with completion and problems at their place. It is in a shadow root, so its
 * styles are adopted style sheets, which the content security policy allows.
 */
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PageProblem } from '../predict/read-topology.ts';
import { completionOf, type KnownNames } from './completion.ts';

export interface EditorOptions {
  /** Whose problems it shows. */
  file: PageProblem['file'];
  label: string;
  text: string;
  schema: unknown;
  names(): KnownNames;
  /** Called for each change of the text, by hand or by undo. */
  onChange(text: string): void;
}

export class TextEditor {
  readonly #view: EditorView;
  readonly #file: PageProblem['file'];
  /** As in the opened text: without a change Save leaves the line as it is. */
  readonly #lineEnd: string;

  constructor(place: HTMLElement, { file, label, text, schema, names, onChange }: EditorOptions) {
    this.#file = file;
    this.#lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
    const root = place.attachShadow({ mode: 'open' });
    const extensions = [
      ...[lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine()],
      ...[yaml(), syntaxHighlighting(highlight), lintGutter(), theme],
      autocompletion({ override: [completionOf(schema, names)] }),
      // Tab leaves the editor: the page is used by keyboard alone.
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange(this.text);
      }),
    ];
    this.#view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  }

  get text(): string {
    const { doc } = this.#view.state;
    return doc.sliceString(0, doc.length, this.#lineEnd);
  }

  get canUndo(): boolean {
    return undoDepth(this.#view.state) > 0;
  }

  get canRedo(): boolean {
    return redoDepth(this.#view.state) > 0;
  }

  undo(): boolean {
    return undo(this.#view);
  }

  redo(): boolean {
    return redo(this.#view);
  }

  /** Changes only the part that differs: the cursor and the history stay. */
  change(given: string): void {
    const old = this.#view.state.doc.toString();
    // The editor counts a line end as one character.
    const text = given.replaceAll(/\r\n?/g, '\n');
    if (old === text) return;
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from++;
    let [to, end] = [old.length, text.length];
    while (to > from && end > from && old[to - 1] === text[end - 1]) [to, end] = [to - 1, end - 1];
    this.#view.dispatch({ changes: { from, to, insert: text.slice(from, end) }, userEvent: 'input.drawing' });
  }

  showProblems(problems: readonly PageProblem[]): void {
    const { doc } = this.#view.state;
    const diagnostics = problems
      .filter(({ file }) => file === this.#file)
      .map((problem): Diagnostic => {
        const { severity, message, hint } = problem;
        const { from, to } = rangeOf(doc, problem);
        return { from, to, severity, message: hint === undefined ? message : `${message}\n${hint}` };
      });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Puts the cursor at a place, and the focus into the editor. */
  goTo({ line, column }: Pick<PageProblem, 'line' | 'column'>): void {
    const { from } = rangeOf(this.#view.state.doc, { line, column });
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }
}

function rangeOf(doc: Text, { line, column }: Pick<PageProblem, 'line' | 'column'>): { from: number; to: number } {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(found.from + Math.max(0, column - 1), found.to);
  const word = /^[^\s,}\]]+/.exec(doc.sliceString(from, found.to))?.[0].length ?? 0;
  return { from, to: from + word };
}

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: tags.lineComment, color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--dim)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--active)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--picked)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--card)' },
  '.cm-completionInfo': { maxWidth: '22rem', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { whiteSpace: 'pre-line', fontFamily: 'var(--sans)' },
});
