// A field in which one of many is chosen by typing a part of it: the combobox with a list of the ARIA authoring practices.
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Choice, fitting } from './choices.ts';

type FieldProps<Of extends Choice> = {
  label: string;
  text: string;
  /** What fits the text, the best first. */
  choices: readonly Of[];
  onText: (text: string) => void;
  onPick: (choice: Of) => void;
  /** The first choice is marked as one types, so that Enter takes it; else Enter is the form's until one was marked with the arrows. */
  marksFirst?: boolean;
  /** When the field is left without a choice. */
  onLeave?: () => void;
  /** What is said where nothing fits; nothing is said without it. */
  none?: string;
  placeholder?: string;
  autofocus?: boolean;
  required?: boolean;
  field?: Ref<HTMLInputElement>;
  children?: (choice: Of) => ComponentChildren;
};

const SHOWN = 100; // more are not looked through, but found by a letter more

/** The field and, as long as one chooses, its list. Arrows mark, Enter and a click take, Escape closes. */
export function Combobox<Of extends Choice>(props: FieldProps<Of>) {
  const {
    label,
    text,
    choices,
    onText,
    onPick,
    marksFirst = false,
    onLeave,
    none,
    placeholder,
    autofocus,
    required,
    field,
    children,
  } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const shown = open ? choices.slice(0, SHOWN) : [];
  const expanded = open && (shown.length > 0 || Boolean(none));
  const mark = open ? Math.min(marked, shown.length - 1) : -1;
  const idOf = (place: number) => (place < 0 ? undefined : `${id}-${place}`);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [mark, open]);

  const close = () => {
    setOpen(false);
    setMarked(-1);
  };
  const pick = (choice: Of) => {
    close();
    onPick(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return; // an input method has the keys
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const choice = shown[mark];
    if (step) {
      setOpen(true);
      setMarked(mark < 0 && step < 0 ? shown.length - 1 : (mark + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter' && choice) pick(choice);
    else if (event.key === 'Escape' && expanded) close();
    else {
      if (event.key === 'Enter') close(); // what was typed is taken as it is
      return;
    }
    event.preventDefault(); // also what a dialog around it would do about Escape
  };
  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      <div>
        <input
          ref={field}
          id={id}
          type="text"
          role="combobox"
          aria-expanded={expanded}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={idOf(mark)}
          autocomplete="off"
          spellcheck={false}
          {...{ placeholder, autofocus, required }}
          value={text}
          onInput={({ currentTarget }) => {
            onText(currentTarget.value);
            setOpen(true);
            setMarked(marksFirst && currentTarget.value.trim() ? 0 : -1);
          }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => setOpen(true)}
          onBlur={() => {
            close();
            onLeave?.();
          }}
          onKeyDown={onKeyDown}
        />
        {/* a press in the list leaves the focus in the field */}
        <div class="choices" hidden={!expanded} onPointerDown={(event) => event.preventDefault()}>
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
            {shown.map((choice, place) => (
              <div
                key={choice.id}
                id={idOf(place)}
                role="option"
                tabIndex={-1}
                aria-selected={place === mark}
                onClick={() => pick(choice)}
                onKeyDown={onKeyDown}
              >
                {children?.(choice) ?? <span>{choice.label}</span>}
                {choice.hint && <small>{choice.hint}</small>}
              </div>
            ))}
          </div>
          {open && shown.length === 0 && <p role="status">{none}</p>}
          {open && choices.length > SHOWN && <p>{choices.length - SHOWN} more: type a few letters.</p>}
        </div>
      </div>
    </div>
  );
}

type ChooseProps = {
  label: string;
  /** All there are; that with the empty id stands for no choice. */
  choices: readonly Choice[];
  /** The id of what is chosen; one that is not among the choices is shown as it is. */
  id: string;
  onPick: (id: string) => void;
  none: string;
};

/** Chooses one of those that are known: what is typed finds it, and what is left without a choice is as it was before. */
export function Choose({ label, choices, id, onPick, none }: ChooseProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = choices.find((choice) => choice.id === id)?.label ?? id;
  const pick = (picked: string) => {
    setTyped(null);
    if (picked !== id) onPick(picked);
  };
  return (
    <Combobox
      label={label}
      text={typed ?? chosen}
      choices={fitting(choices, typed ?? '')}
      onText={setTyped}
      onPick={(choice) => pick(choice.id)}
      onLeave={() => pick(typed?.trim() === '' ? '' : id)}
      marksFirst
      none={none}
    />
  );
}
