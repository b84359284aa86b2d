import { useMemo, useRef, useState } from 'preact/hooks';
import { CodeRunDocument } from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask, Refusal } from '../shell/ask.ts';
import { Deed, type Permitted } from '../ui/deed.tsx';
import { noteDone } from '../ui/notes.tsx';
import { ParamField } from './param-field.tsx';
import { fieldsOf } from './params-form.ts';
import { type Fault, faultsElsewhere, faultsOf, paramsOf, pointerTo, typedFrom } from './params-values.ts';

type RunFormProps = { versionId: string; schema: unknown; given: unknown; may: Permitted; onAsked: () => void };

/** The parameters of a generator, filled with its defaults or with those of an earlier run, and the button that runs it. */
export function RunForm({ versionId, schema, given, may, onAsked }: RunFormProps) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [typed, setTyped] = useState(() => typedFrom(fields, given));
  const [force, setForce] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const show = (found: readonly Fault[]) => {
    setFaults(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const run = async () => {
    const { params, faults: found } = paramsOf(fields, typed);
    setProblem(null);
    show(found);
    if (found.length > 0 || busy) return;
    setBusy(true);
    try {
      const { created, run } = (await ask(CodeRunDocument, { versionId, params, force })).requestRun;
      onAsked();
      if (created) go(addressOf.run(run.id));
      else
        noteDone('These parameters were run on this commit before: that run is used.', {
          label: 'Show it',
          run: () => go(addressOf.run(run.id)),
        });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      if (error instanceof Refusal) show(faultsOf(error.data.errors));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      class="run-form"
      noValidate
      aria-label="Parameters"
      onSubmit={(event) => {
        event.preventDefault();
        if (may.allowed) void run();
      }}
    >
      {fields.length === 0 && <p class="quiet">It takes no parameters.</p>}
      {fields.map((field) => (
        <ParamField
          key={field.name}
          field={field}
          typed={typed.values[field.name] ?? ''}
          pointer={pointerTo('', field.name)}
          faults={faults}
          onChange={(value) => setTyped((before) => ({ ...before, values: { ...before.values, [field.name]: value } }))}
        />
      ))}
      {(problem || faults.length > 0) && (
        <div class="problem" role="alert">
          <span>
            {problem ??
              (faults.length === 1 ? 'A parameter needs a look.' : `${faults.length} parameters need a look.`)}
            {faultsElsewhere(faults, fields).map(({ pointer, message }) => (
              <div key={pointer}>
                <code>{pointer || 'the parameters'}</code> {message}
              </div>
            ))}
          </span>
        </div>
      )}
      <div class="deeds">
        <label class="inline" title="Equal parameters on the same commit are one run; a new one is made all the same">
          <input type="checkbox" checked={force} onChange={({ currentTarget }) => setForce(currentTarget.checked)} />{' '}
          Run also what was run before
        </label>
        <button type="button" onClick={() => setTyped(typedFrom(fields, {}))}>
          Defaults
        </button>
        <Deed
          class="primary"
          may={busy ? { allowed: false, message: 'It is being asked for.' } : may}
          onClick={() => void run()}
        >
          Run
        </Deed>
      </div>
    </form>
  );
}
