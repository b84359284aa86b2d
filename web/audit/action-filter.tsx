// Filters the audit log by action.
import { AuditActionsDocument } from '../generated/operations.ts';
import { useQuery } from '../shell/use-query.ts';
import { ChoiceField } from '../ui/combobox.tsx';

const ALL_ACTIONS = { id: '', label: 'all actions' };

/** Chooses one of all recorded actions, by label or by name. */
export function ActionFilter({ action, onPick }: { action: string; onPick: (action: string) => void }) {
  const { data } = useQuery(AuditActionsDocument, {});
  const actions = data?.auditActions.map(({ name, label }) => ({ id: name, label, hint: name })) ?? [];
  return (
    <ChoiceField
      label="Action"
      choices={[ALL_ACTIONS, ...actions]}
      id={action}
      onPick={onPick}
      emptyMessage="No matching action."
    />
  );
}
