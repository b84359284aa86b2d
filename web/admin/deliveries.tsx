// The deliveries of a webhook.
import { ListDeliveriesDocument, RedeliverEventDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { QueryView } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { runWithToast } from '../ui/toasts.tsx';

/** The recent deliveries of a webhook, each with its last attempt. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const result = useQuery(ListDeliveriesDocument, { id: webhookId }, () => true);
  const redeliver = (eventId: string) =>
    runWithToast(() => execute(RedeliverEventDocument, { id: webhookId, eventId }), 'Event queued again.').then(
      result.reload,
    );
  return (
    <QueryView query={result}>
      {({ webhookDeliveries: { items } }) =>
        items.length === 0 ? (
          <p class="quiet">No deliveries yet.</p>
        ) : (
          <Table columns={['Event', 'Status', 'Attempts', 'Last response']} hasActions>
            {items.map(({ eventId, type, status, createdAt, nextAttemptAt, attempts }) => {
              const last = attempts.at(-1);
              return (
                <tr key={eventId}>
                  <td>
                    {type}
                    <div class="quiet">
                      <Time at={createdAt} />
                    </div>
                  </td>
                  <td>
                    {status} {nextAttemptAt && <Time at={nextAttemptAt} />}
                  </td>
                  <td class="figure">{attempts.length}</td>
                  <td class="wrap">{last ? (last.error ?? `${last.status} in ${last.durationMs} ms`) : ''}</td>
                  <td>
                    <button type="button" onClick={() => void redeliver(eventId)}>
                      Redeliver
                    </button>
                  </td>
                </tr>
              );
            })}
          </Table>
        )
      }
    </QueryView>
  );
}
