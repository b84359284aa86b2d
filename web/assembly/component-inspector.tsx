// Edits the selected component: its reference, quantity and find number, and where each instance is placed.
import { useEffect } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { AxisFields, NumberField } from './number-fields.tsx';
import { PatternForm } from './pattern-form.tsx';
import { anglesIn, positionIn, withAngles, withPosition } from './placement.ts';
import {
  addressOf,
  addressParts,
  arrangeInstances,
  type Component,
  copyInstance,
  placeInstance,
  placementOf,
  removeComponent,
  removeInstance,
  setFindNumber,
  setLocation,
  setQuantity,
  suffixLabel,
} from './structure.ts';
import type { ComponentDocument, Components } from './use-components.ts';
import type { StructureEdit } from './use-structure.ts';

const MAX_QUANTITY = 10_000;

type InspectorProps = {
  component: Component;
  /** The find numbers of all components. */
  numbers: ReadonlyMap<string, number>;
  /** The selected instance, by its index. */
  instance: number;
  components: Components;
  onChange: (edit: StructureEdit) => void;
  onInstance: (index: number) => void;
};

export function ComponentInspector(props: InspectorProps) {
  const { component, numbers, components, onChange } = props;
  const { ident, location, instances } = component;
  const document = components.documentOf(location);
  const name = document?.number ?? ident;
  const findNumber = numbers.get(ident);
  return (
    <section class="inspector" aria-label={`${name} ${document?.name ?? ''}`}>
      <h3>
        <span class="cut-here">
          <b class="mono">{name}</b> {document?.name}
        </span>
        <button
          type="button"
          class="bare"
          aria-label={`Remove ${name}`}
          title="Remove (Delete)"
          onClick={() => onChange((before) => removeComponent(before, ident))}
        >
          <Icon name="trash" />
        </button>
      </h3>
      <div class="row">
        {location && document ? (
          <ReferenceSelect
            document={document}
            suffix={addressParts(location).suffix}
            components={components}
            onPick={(suffix) => onChange((before) => setLocation(before, ident, addressOf(document.id, suffix)))}
          />
        ) : (
          <small>{location ?? 'inline'}</small>
        )}
        <NumberField
          caption="Quantity"
          label={`Quantity of ${name}`}
          value={instances.length}
          min={1}
          max={MAX_QUANTITY}
          whole
          onChange={(quantity) => onChange((before) => setQuantity(before, ident, quantity))}
        />
        {findNumber !== undefined && (
          <NumberField
            caption="Find number"
            label={`Find number of ${name}`}
            value={findNumber}
            min={1}
            max={new Set(numbers.values()).size}
            whole
            onChange={(number) => onChange((before) => setFindNumber(before, ident, number))}
          />
        )}
        {instances.length > 1 && <PlaceField {...props} name={name} />}
      </div>
      {instances.length > 0 && <InstanceFields {...props} name={name} />}
    </section>
  );
}

/** Selects one of several instances, and removes it. */
function PlaceField({ component: { instances }, instance: at, name, onChange, onInstance }: NamedProps) {
  const index = Math.min(at, instances.length - 1);
  const ident = instances[index]?.ident ?? '';
  return (
    <>
      <NumberField
        label={`Place of ${name}`}
        caption="Place"
        unit={`of ${instances.length}`}
        value={index + 1}
        min={1}
        max={instances.length}
        whole
        onChange={(place) => onInstance(place - 1)}
      />
      <button
        type="button"
        class="bare"
        title={`Remove the place ${ident}`}
        aria-label={`Remove ${ident}`}
        onClick={() => onChange((before) => removeInstance(before, ident))}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

type NamedProps = InspectorProps & { name: string };

function InstanceFields(props: NamedProps) {
  const { component, instance: at, name, onChange } = props;
  const { ident, instances } = component;
  const index = Math.min(at, instances.length - 1);
  const instance = instances[index];
  const placement = instance ? placementOf(instance) : null;
  if (!instance) return null;
  return (
    <>
      {placement ? (
        <>
          <div class="field-row">
            <span>Position</span>
            <AxisFields
              label={(axis) => `${axis} of ${instance.ident} in mm`}
              values={positionIn(placement)}
              unit="mm"
              onChange={(position) =>
                onChange((before) => placeInstance(before, instance.ident, withPosition(placement, position)))
              }
            />
          </div>
          <div class="field-row">
            <span title="About the fixed axes X, then Y, then Z of the assembly">Rotation</span>
            <AxisFields
              label={(axis) => `Rotation of ${instance.ident} about ${axis} in degrees`}
              values={anglesIn(placement)}
              unit="°"
              onChange={(angles) =>
                onChange((before) => placeInstance(before, instance.ident, withAngles(placement, angles)))
              }
            />
          </div>
          <details>
            <summary>Copies</summary>
            <PatternForm
              key={ident}
              name={name}
              quantity={instances.length}
              maxCopies={Math.max(1, MAX_QUANTITY - instances.length)}
              onCopy={(pattern, copies) => onChange((before) => copyInstance(before, instance.ident, pattern, copies))}
              onArrange={(pattern) => onChange((before) => arrangeInstances(before, ident, pattern))}
            />
          </details>
        </>
      ) : (
        <p class="quiet">Placed by an expression, which the page does not change.</p>
      )}
    </>
  );
}

type ReferenceProps = {
  document: ComponentDocument;
  suffix: string;
  components: Components;
  onPick: (suffix: string) => void;
};

/** Selects the newest release, a revision or a version. */
function ReferenceSelect({ document, suffix, components, onPick }: ReferenceProps) {
  useEffect(() => components.loadVersions(document.id), [document.id]);
  const versions = components.versionsOf(document.id) ?? [];
  const options = [
    { suffix: '', label: 'newest' },
    ...versions.flatMap(({ releasedAs }) =>
      releasedAs
        ? [
            {
              suffix: `@${releasedAs.label}`,
              label: `Rev ${releasedAs.label}${releasedAs.obsolete ? ' (obsolete)' : ''}`,
            },
          ]
        : [],
    ),
    ...versions.map(({ n }) => ({ suffix: `@v${n}`, label: `v${n}` })),
  ];
  const known = options.some((option) => option.suffix === suffix);
  return (
    <label class="inline">
      Version
      <select
        aria-label={`Version of ${document.number}`}
        value={suffix}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      >
        {!known && <option value={suffix}>{suffixLabel(suffix)}</option>}
        {options.map((option) => (
          <option key={option.suffix} value={option.suffix}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
