import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { go } from '@codemirror/lang-go';
import { java } from '@codemirror/lang-java';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import type { Language } from './kernel.js';

const MODES: Record<Language, () => Extension> = {
  python,
  java,
  go,
  bash: () => StreamLanguage.define(shell),
  javascript: () => javascript(),
  typescript: () => javascript({ typescript: true }),
};

/** By tokens of the design system, so that it follows light and dark. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: 'var(--info)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.comment], color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName), tags.className], color: 'var(--text)', fontWeight: '600' },
]);

const LOOK = EditorView.theme({
  '&': { fontSize: '.85rem', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--code)', padding: '.5rem 0', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--dim)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent) !important' },
  '.cm-placeholder': { color: 'var(--dim)' },
});

interface Properties {
  label: string;
  source: string;
  language: Language;
  change: (source: string) => void;
  run: (next: boolean) => void;
  focused: boolean;
}

/** The code of one cell. */
export function Editor({ label, source, language, change, run, focused }: Properties) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const mode = useRef(new Compartment());
  const acts = useRef({ change, run });
  acts.current = { change, run };
  useEffect(() => {
    const keys = Prec.highest(
      keymap.of([
        { key: 'Shift-Enter', run: () => (acts.current.run(true), true) },
        { key: 'Mod-Enter', run: () => (acts.current.run(false), true) },
        { key: 'Escape', run: (editor) => (editor.contentDOM.blur(), true) },
      ]),
    );
    const made = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: source,
        extensions: [
          keys,
          history(),
          lineNumbers(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          indentUnit.of('    '),
          placeholder('Code; Shift-Enter runs it'),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          mode.current.of(MODES[language]()),
          syntaxHighlighting(COLOURS),
          LOOK,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => update.docChanged && acts.current.change(update.state.doc.toString())),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => view.current?.dispatch({ effects: mode.current.reconfigure(MODES[language]()) }), [language]);
  useEffect(() => {
    if (focused) view.current?.focus();
  }, [focused]);
  return <div class="code-editor" ref={place} />;
}
