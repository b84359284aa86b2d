// The form that runs a generator.
import { useMemo, useRef, useState } from 'preact/hooks';
import { RequestRunDocument } from '../generated/operations.ts';
import { ApiError, execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { ActionButton, type Permission } from '../ui/action-button.tsx';
import { messageOf } from '../ui/errors.ts';
import { showSuccess } from '../ui/toasts.tsx';
import { ParamField } from './param-field.tsx';
import { fieldsOf } from './params-form.ts';
import { type FieldError, inputFrom, otherErrors, parseFieldErrors, parseInput, pointerTo } from './params-input.ts';

type RunFormProps = {
  versionId: string;
  schema: unknown;
  initialParams: unknown;
  permission: Permission;
  onRequested: () => void;
};

/** The parameters, initially the defaults or those of an earlier run, and the Run button. */
export function RunForm({ versionId, schema, initialParams, permission, onRequested }: RunFormProps) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [input, setInput] = useState(() => inputFrom(fields, initialParams));
  const [force, setForce] = useState(false);
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const showErrors = (foundErrors: readonly FieldError[]) => {
    setErrors(foundErrors);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const run = async () => {
    const { params, errors: foundErrors } = parseInput(fields, input);
    setProblem(null);
    showErrors(foundErrors);
    if (foundErrors.length > 0 || busy) return;
    setBusy(true);
    try {
      const { created, run } = (await execute(RequestRunDocument, { versionId, params, force })).requestRun;
      onRequested();
      if (created) navigate(urlFor.run(run.id));
      else
        showSuccess('This commit was already run with these parameters, so no new run was started.', {
          label: 'Show run',
          run: () => navigate(urlFor.run(run.id)),
        });
    } catch (error) {
      setProblem(messageOf(error));
      if (error instanceof ApiError) showErrors(parseFieldErrors(error.data.errors));
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
        if (permission.allowed) void run();
      }}
    >
      {fields.length === 0 && <p class="quiet">This generator has no parameters.</p>}
      {fields.map((field) => (
        <ParamField
          key={field.name}
          field={field}
          input={input.values[field.name] ?? ''}
          pointer={pointerTo('', field.name)}
          errors={errors}
          onChange={(value) => setInput((before) => ({ ...before, values: { ...before.values, [field.name]: value } }))}
        />
      ))}
      {(problem || errors.length > 0) && (
        <div class="problem" role="alert">
          <span>
            {problem ?? (errors.length === 1 ? '1 parameter is invalid.' : `${errors.length} parameters are invalid.`)}
            {otherErrors(errors, fields).map(({ pointer, message }) => (
              <div key={pointer}>
                <code>{pointer || 'parameters'}</code> {message}
              </div>
            ))}
          </span>
        </div>
      )}
      <div class="actions">
        <label class="inline" title="By default, the same parameters on the same commit reuse the existing run">
          <input type="checkbox" checked={force} onChange={({ currentTarget }) => setForce(currentTarget.checked)} />{' '}
          Run again even if a run exists
        </label>
        <button type="button" onClick={() => setInput(inputFrom(fields, {}))}>
          Reset to defaults
        </button>
        <ActionButton
          class="primary"
          permission={busy ? { allowed: false, message: 'The run is being requested.' } : permission}
          onClick={() => void run()}
        >
          Run
        </ActionButton>
      </div>
    </form>
  );
}
