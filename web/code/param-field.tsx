import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.tsx';
import type { Field, NumberField } from './params-form.ts';
import {
  type Fault,
  faultsAt,
  newItem,
  pointerTo,
  type Typed,
  type TypedGroup,
  type TypedList,
} from './params-values.ts';

type FieldProps<Of extends Field = Field> = {
  field: Of;
  typed: Typed;
  pointer: string;
  faults: readonly Fault[];
  onChange: (typed: Typed) => void;
};

/** One field of the form of a generator, with the fields inside it. */
export function ParamField(props: FieldProps) {
  const { field } = props;
  if (field.kind === 'group') return <Group {...props} field={field} />;
  if (field.kind === 'list') return <List {...props} field={field} />;
  return <Single {...props} />;
}

const idOf = (pointer: string) => `param${pointer.replaceAll(/[^\w/-]/g, '_').replaceAll('/', '-')}`;

function Single({ field, typed, pointer, faults, onChange }: FieldProps) {
  const id = idOf(pointer);
  const here = faultsAt(faults, field, pointer);
  const notes = [field.description && `${id}-about`, here.length && `${id}-fault`].filter(Boolean).join(' ');
  const described = { id, 'aria-describedby': notes || undefined, 'aria-invalid': here.length > 0 };
  return (
    <div class={`param ${field.kind}`}>
      <label for={id}>
        {field.title || 'Item'}
        {field.required && field.fallback === undefined && <span class="needed"> needed</span>}
      </label>
      <Input field={field} typed={typed} described={described} onChange={onChange} />
      {field.description && (
        <small id={`${id}-about`} class="about">
          {field.description}
        </small>
      )}
      <Faults faults={here} id={`${id}-fault`} />
    </div>
  );
}

type InputProps = { field: Field; typed: Typed; described: Record<string, unknown>; onChange: (typed: Typed) => void };

function Input({ field, typed, described, onChange }: InputProps) {
  const text = typeof typed === 'string' ? typed : '';
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  switch (field.kind) {
    case 'number':
      return (
        <span class="with-unit">
          <input
            {...described}
            type="text"
            inputMode={field.whole ? 'numeric' : 'decimal'}
            size={8}
            value={text}
            placeholder={hint(field.fallback)}
            onInput={onText}
          />
          {field.unit && <span class="quiet">{field.unit}</span>}
          <small>{limitsOf(field)}</small>
        </span>
      );
    case 'flag':
      return field.required || typeof field.fallback === 'boolean' ? (
        <input
          {...described}
          type="checkbox"
          checked={typed === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      ) : (
        <select
          {...described}
          value={String(typed)}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? '' : value === 'true')}
        >
          <option value="">not said</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      );
    case 'choice':
      return (
        <select {...described} value={text} onChange={onText}>
          {(!field.required || text === '') && (
            <option value="">{field.fallback === undefined ? 'not said' : 'default'}</option>
          )}
          {field.choices.map(({ label }, place) => (
            <option key={label} value={String(place)}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'text':
      return (
        <span class="with-unit">
          <input
            {...described}
            type="text"
            value={text}
            maxLength={field.longest ?? undefined}
            placeholder={hint(field.fallback)}
            onInput={onText}
          />
          {field.unit && <span class="quiet">{field.unit}</span>}
        </span>
      );
    default:
      return <textarea {...described} class="mono" rows={3} value={text} placeholder="JSON" onInput={onText} />;
  }
}

const hint = (fallback: unknown) => (fallback === undefined ? undefined : String(fallback));

function limitsOf({ limits: { least, most, above, below } }: NumberField): string {
  const from = least ?? above;
  const to = most ?? below;
  if (from !== null && to !== null)
    return `${above !== null && least === null ? '>' : ''}${from} … ${below !== null && most === null ? '<' : ''}${to}`;
  if (from !== null) return `${least === null ? '>' : '≥'} ${from}`;
  return to === null ? '' : `${most === null ? '<' : '≤'} ${to}`;
}

function Group({ field, typed, pointer, faults, onChange }: FieldProps<Extract<Field, { kind: 'group' }>>) {
  const group: TypedGroup =
    typeof typed === 'object' && 'values' in typed ? typed : { there: field.required, values: {} };
  return (
    <Box
      field={field}
      pointer={pointer}
      faults={faults}
      there={group.there}
      onThere={(there) => onChange({ ...group, there })}
    >
      {field.fields.map((inner) => (
        <ParamField
          key={inner.name}
          field={inner}
          typed={group.values[inner.name] ?? ''}
          pointer={pointerTo(pointer, inner.name)}
          faults={faults}
          onChange={(value) => onChange({ ...group, values: { ...group.values, [inner.name]: value } })}
        />
      ))}
    </Box>
  );
}

function List({ field, typed, pointer, faults, onChange }: FieldProps<Extract<Field, { kind: 'list' }>>) {
  const list: TypedList = typeof typed === 'object' && 'items' in typed ? typed : { there: field.required, items: [] };
  const change = (items: readonly Typed[]) => onChange({ ...list, items });
  return (
    <Box
      field={field}
      pointer={pointer}
      faults={faults}
      there={list.there}
      onThere={(there) => onChange({ ...list, there })}
    >
      {list.items.map((item, place) => (
        <div key={place} class="item">
          <ParamField
            field={{ ...field.item, title: `${field.title} ${place + 1}` }}
            typed={item}
            pointer={pointerTo(pointer, String(place))}
            faults={faults}
            onChange={(value) => change(list.items.with(place, value))}
          />
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${field.title} ${place + 1}`}
            onClick={() => change(list.items.toSpliced(place, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...list.items, newItem(field)])}>
        <Icon name="plus" /> Add
      </button>
    </Box>
  );
}

type BoxProps = {
  field: Field;
  pointer: string;
  faults: readonly Fault[];
  there: boolean;
  onThere: (there: boolean) => void;
  children: ComponentChildren;
};

// what belongs together; one that is not needed is only there when it is ticked
function Box({ field, pointer, faults, there, onThere, children }: BoxProps) {
  return (
    <fieldset class="param-group">
      <legend>
        {field.required ? (
          field.title
        ) : (
          <label class="inline">
            <input type="checkbox" checked={there} onChange={({ currentTarget }) => onThere(currentTarget.checked)} />{' '}
            {field.title}
          </label>
        )}
      </legend>
      {field.description && <small class="about">{field.description}</small>}
      {there && children}
      <Faults faults={faultsAt(faults, field, pointer)} id={`${idOf(pointer)}-fault`} />
    </fieldset>
  );
}

function Faults({ faults, id }: { faults: readonly Fault[]; id: string }) {
  if (faults.length === 0) return null;
  return (
    <small id={id} class="fault">
      {faults.map(({ message }) => message).join('; ')}
    </small>
  );
}
