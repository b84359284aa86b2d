import { ListDeliveriesDocument, RedeliverEventDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { useAsk } from '../shell/use-ask.ts';
import { attempt } from '../ui/notes.tsx';
import { Answer } from '../ui/state.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

/** What was sent to a webhook lately, each with its last try. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const asked = useAsk(ListDeliveriesDocument, { id: webhookId }, () => true);
  const again = (eventId: string) =>
    attempt(() => ask(RedeliverEventDocument, { id: webhookId, eventId }), 'The event is on its way again.').then(
      asked.reload,
    );
  return (
    <Answer of={asked}>
      {({ webhookDeliveries: { items } }) =>
        items.length === 0 ? (
          <p class="quiet">Nothing was sent yet.</p>
        ) : (
          <Table heads={['Event', 'Status', 'Tries', 'Last answer']} deeds>
            {items.map(({ eventId, type, status, createdAt, nextTryAt, tries }) => {
              const last = tries.at(-1);
              return (
                <tr key={eventId}>
                  <td>
                    {type}
                    <div class="quiet">
                      <Time at={createdAt} />
                    </div>
                  </td>
                  <td>
                    {status} {nextTryAt && <Time at={nextTryAt} />}
                  </td>
                  <td class="figure">{tries.length}</td>
                  <td class="wrap">{last ? (last.error ?? `${last.status} in ${last.ms} ms`) : ''}</td>
                  <td>
                    <button type="button" onClick={() => void again(eventId)}>
                      Send again
                    </button>
                  </td>
                </tr>
              );
            })}
          </Table>
        )
      }
    </Answer>
  );
}
