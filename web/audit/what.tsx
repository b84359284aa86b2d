import { AuditActionsDocument } from '../generated/operations.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Choose } from '../ui/combobox.tsx';

const EVERYTHING = { id: '', label: 'everything' };

/** Chooses what was done, of all that is ever recorded: in words, or as records have it. */
export function What({ action, onPick }: { action: string; onPick: (action: string) => void }) {
  const { data } = useAsk(AuditActionsDocument, {});
  const deeds = data?.auditActions.map(({ name, label }) => ({ id: name, label, hint: name })) ?? [];
  return (
    <Choose label="What" choices={[EVERYTHING, ...deeds]} id={action} onPick={onPick} none="Nothing is called so." />
  );
}
