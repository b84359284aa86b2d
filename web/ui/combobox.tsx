// An autocomplete field: the combobox with a listbox popup of the ARIA Authoring Practices Guide.
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { arrowStep } from './arrow-step.ts';
import { type Choice, matchChoices } from './choices.ts';

type FieldProps<Item extends Choice> = {
  label: string;
  text: string;
  /** The choices that match the text, best match first. */
  choices: readonly Item[];
  onText: (text: string) => void;
  onPick: (choice: Item) => void;
  /** Highlights the first choice while typing, so that Enter picks it; by default Enter submits the form. */
  autoHighlight?: boolean;
  /** Called when the field loses focus. */
  onBlur?: () => void;
  /** Shown when nothing matches. */
  emptyMessage?: string;
  placeholder?: string;
  autofocus?: boolean;
  required?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  children?: (choice: Item) => ComponentChildren;
};

const MAX_SHOWN = 100;

/** The input with its list of choices. Arrow keys highlight, Enter and click pick, Escape closes. */
export function Combobox<Item extends Choice>(props: FieldProps<Item>) {
  const {
    label,
    text,
    choices,
    onText,
    onPick,
    autoHighlight = false,
    onBlur,
    emptyMessage,
    placeholder,
    autofocus,
    required,
    inputRef,
    children,
  } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [highlight, setHighlight] = useState(-1);
  const shown = open ? choices.slice(0, MAX_SHOWN) : [];
  const expanded = open && (shown.length > 0 || Boolean(emptyMessage));
  const active = open ? Math.min(highlight, shown.length - 1) : -1;
  const optionId = (index: number) => (index < 0 ? undefined : `${id}-${index}`);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, open]);

  const close = () => {
    setOpen(false);
    setHighlight(-1);
  };
  const pick = (choice: Item) => {
    close();
    onPick(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return; // the input method handles the keys
    const step = arrowStep(event.key);
    const choice = shown[active];
    if (step) {
      setOpen(true);
      setHighlight(
        active < 0 && step < 0 ? shown.length - 1 : (active + step + shown.length) % Math.max(1, shown.length),
      );
    } else if (event.key === 'Enter' && choice) pick(choice);
    else if (event.key === 'Escape' && expanded) close();
    else {
      if (event.key === 'Enter') close(); // accepts the text as typed
      return;
    }
    event.preventDefault(); // also keeps Escape from closing a surrounding dialog
  };
  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      <div>
        <input
          ref={inputRef}
          id={id}
          type="text"
          role="combobox"
          aria-expanded={expanded}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={optionId(active)}
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          autofocus={autofocus}
          required={required}
          value={text}
          onInput={({ currentTarget }) => {
            onText(currentTarget.value);
            setOpen(true);
            setHighlight(autoHighlight && currentTarget.value.trim() ? 0 : -1);
          }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => setOpen(true)}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget instanceof Node && list.current?.contains(relatedTarget)) return; // a choice is dragged
            close();
            onBlur?.();
          }}
          onKeyDown={onKeyDown}
        />
        {/* pressing the list keeps the focus in the field */}
        <div class="choices" hidden={!expanded} onPointerDown={(event) => event.preventDefault()}>
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
            {shown.map((choice, index) => (
              <div
                key={choice.id}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => pick(choice)}
                onKeyDown={onKeyDown}
              >
                {children?.(choice) ?? <span>{choice.label}</span>}
                {choice.hint && <small>{choice.hint}</small>}
              </div>
            ))}
          </div>
          {open && shown.length === 0 && <p role="status">{emptyMessage}</p>}
          {open && choices.length > MAX_SHOWN && <p>{choices.length - MAX_SHOWN} more. Type to narrow the list.</p>}
        </div>
      </div>
    </div>
  );
}

type ChooseProps = {
  label: string;
  /** All choices; the one with an empty id means "no selection". */
  choices: readonly Choice[];
  /** The id of the selected choice; an unknown id is shown as is. */
  id: string;
  onPick: (id: string) => void;
  emptyMessage: string;
};

/** Selects one of the given choices by typing. Leaving the field without a pick restores the previous selection. */
export function ChoiceField({ label, choices, id, onPick, emptyMessage }: ChooseProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const selected = choices.find((choice) => choice.id === id)?.label ?? id;
  const pick = (picked: string) => {
    setTyped(null);
    if (picked !== id) onPick(picked);
  };
  return (
    <Combobox
      label={label}
      text={typed ?? selected}
      choices={matchChoices(choices, typed ?? '')}
      onText={setTyped}
      onPick={(choice) => pick(choice.id)}
      onBlur={() => pick(typed?.trim() === '' ? '' : id)}
      autoHighlight
      emptyMessage={emptyMessage}
    />
  );
}
