// A field of a generator's parameter form.
import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.tsx';
import type { Field, NumberField } from './params-form.ts';
import {
  errorsAt,
  type FieldError,
  type FormInput,
  type GroupInput,
  type ListInput,
  newItem,
  pointerTo,
} from './params-input.ts';

type FieldProps<Of extends Field = Field> = {
  field: Of;
  input: FormInput;
  pointer: string;
  errors: readonly FieldError[];
  onChange: (input: FormInput) => void;
};

/** A form field, with its nested fields. */
export function ParamField(props: FieldProps) {
  const { field } = props;
  if (field.kind === 'group') return <Group {...props} field={field} />;
  if (field.kind === 'list') return <List {...props} field={field} />;
  return <Single {...props} />;
}

const idOf = (pointer: string) => `param${pointer.replaceAll(/[^\w/-]/g, '_').replaceAll('/', '-')}`;

function Single({ field, input, pointer, errors, onChange }: FieldProps) {
  const id = idOf(pointer);
  const ownErrors = errorsAt(errors, field, pointer);
  const describedBy = [field.description && `${id}-description`, ownErrors.length && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  const attributes = { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': ownErrors.length > 0 };
  return (
    <div class="param" data-kind={field.kind}>
      <label for={id}>
        {field.title || 'Item'}
        {field.required && field.defaultValue === undefined && <span class="needed"> required</span>}
      </label>
      <FieldInput field={field} input={input} attributes={attributes} onChange={onChange} />
      {field.description && (
        <small id={`${id}-description`} class="about">
          {field.description}
        </small>
      )}
      <ErrorText errors={ownErrors} id={`${id}-error`} />
    </div>
  );
}

type FieldInputProps = {
  field: Field;
  input: FormInput;
  attributes: Record<string, unknown>;
  onChange: (input: FormInput) => void;
};

function FieldInput({ field, input, attributes, onChange }: FieldInputProps) {
  const text = typeof input === 'string' ? input : '';
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  switch (field.kind) {
    case 'number':
      return (
        <span class="with-unit">
          <input
            {...attributes}
            type="text"
            inputMode={field.integer ? 'numeric' : 'decimal'}
            size={8}
            value={text}
            placeholder={placeholderFor(field.defaultValue)}
            onInput={onText}
          />
          {field.unit && <span class="quiet">{field.unit}</span>}
          <small>{limitsText(field)}</small>
        </span>
      );
    case 'boolean':
      return field.required || typeof field.defaultValue === 'boolean' ? (
        <input
          {...attributes}
          type="checkbox"
          checked={input === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      ) : (
        <select
          {...attributes}
          value={String(input)}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? '' : value === 'true')}
        >
          <option value="">not set</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      );
    case 'choice':
      return (
        <select {...attributes} value={text} onChange={onText}>
          {(!field.required || text === '') && (
            <option value="">{field.defaultValue === undefined ? 'not set' : 'default'}</option>
          )}
          {field.choices.map(({ label }, index) => (
            <option key={label} value={String(index)}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'text':
      return (
        <span class="with-unit">
          <input
            {...attributes}
            type="text"
            value={text}
            maxLength={field.maxLength ?? undefined}
            placeholder={placeholderFor(field.defaultValue)}
            onInput={onText}
          />
          {field.unit && <span class="quiet">{field.unit}</span>}
        </span>
      );
    default:
      return <textarea {...attributes} class="mono" rows={3} value={text} placeholder="JSON" onInput={onText} />;
  }
}

const placeholderFor = (defaultValue: unknown) => (defaultValue === undefined ? undefined : String(defaultValue));

// Two limits are shown as a range; `>` and `<` mark an exclusive one.
function limitsText({ limits: { min, max, exclusiveMin, exclusiveMax } }: NumberField): string {
  const low = min ?? exclusiveMin;
  const high = max ?? exclusiveMax;
  if (low !== null && high !== null) return `${min === null ? '>' : ''}${low} … ${max === null ? '<' : ''}${high}`;
  if (low !== null) return `${min === null ? '>' : '≥'} ${low}`;
  return high === null ? '' : `${max === null ? '<' : '≤'} ${high}`;
}

function Group({ field, input, pointer, errors, onChange }: FieldProps<Extract<Field, { kind: 'group' }>>) {
  const group: GroupInput =
    typeof input === 'object' && 'values' in input ? input : { included: field.required, values: {} };
  return (
    <OptionalGroup
      field={field}
      pointer={pointer}
      errors={errors}
      included={group.included}
      onInclude={(included) => onChange({ ...group, included })}
    >
      {field.fields.map((inner) => (
        <ParamField
          key={inner.name}
          field={inner}
          input={group.values[inner.name] ?? ''}
          pointer={pointerTo(pointer, inner.name)}
          errors={errors}
          onChange={(value) => onChange({ ...group, values: { ...group.values, [inner.name]: value } })}
        />
      ))}
    </OptionalGroup>
  );
}

function List({ field, input, pointer, errors, onChange }: FieldProps<Extract<Field, { kind: 'list' }>>) {
  const list: ListInput =
    typeof input === 'object' && 'items' in input ? input : { included: field.required, items: [] };
  const change = (items: readonly FormInput[]) => onChange({ ...list, items });
  return (
    <OptionalGroup
      field={field}
      pointer={pointer}
      errors={errors}
      included={list.included}
      onInclude={(included) => onChange({ ...list, included })}
    >
      {list.items.map((item, index) => (
        <div key={index} class="item">
          <ParamField
            field={{ ...field.item, title: `${field.title} ${index + 1}` }}
            input={item}
            pointer={pointerTo(pointer, String(index))}
            errors={errors}
            onChange={(value) => change(list.items.with(index, value))}
          />
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${field.title} ${index + 1}`}
            onClick={() => change(list.items.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...list.items, newItem(field)])}>
        <Icon name="plus" /> Add
      </button>
    </OptionalGroup>
  );
}

type OptionalGroupProps = {
  field: Field;
  pointer: string;
  errors: readonly FieldError[];
  included: boolean;
  onInclude: (included: boolean) => void;
  children: ComponentChildren;
};

// nested fields; an optional group is included only if its checkbox is checked
function OptionalGroup({ field, pointer, errors, included, onInclude, children }: OptionalGroupProps) {
  return (
    <fieldset class="param-group">
      <legend>
        {field.required ? (
          field.title
        ) : (
          <label class="inline">
            <input
              type="checkbox"
              checked={included}
              onChange={({ currentTarget }) => onInclude(currentTarget.checked)}
            />{' '}
            {field.title}
          </label>
        )}
      </legend>
      {field.description && <small class="about">{field.description}</small>}
      {included && children}
      <ErrorText errors={errorsAt(errors, field, pointer)} id={`${idOf(pointer)}-error`} />
    </fieldset>
  );
}

function ErrorText({ errors, id }: { errors: readonly FieldError[]; id: string }) {
  if (errors.length === 0) return null;
  return (
    <small id={id} class="fault">
      {errors.map(({ message }) => message).join('; ')}
    </small>
  );
}
