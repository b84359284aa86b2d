import { useState } from 'preact/hooks';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  EnableWebhookDocument,
  ListWebhooksDocument,
  type ListWebhooksQuery,
  PingWebhookDocument,
} from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { Dialog, FormDialog, textOf } from '../ui/dialog.tsx';
import { attempt } from '../ui/notes.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import { Deliveries } from './deliveries.tsx';

type Webhook = ListWebhooksQuery['webhooks'][number];

/** Where events are sent to, whether they arrive, and what was sent. */
export function Webhooks() {
  const asked = useAsk(ListWebhooksDocument, {}, ({ type }) => type.startsWith('webhook.'));
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section aria-label="Webhooks">
      <div class="row">
        <h1>Webhooks</h1>
        <Deed class="primary end" icon="plus" onClick={() => setAdding(true)}>
          New webhook
        </Deed>
      </div>
      <Answer of={asked}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Nothing>
              Events are sent nowhere. A webhook gets each as a signed POST; docs/events.md tells how to check it.
            </Nothing>
          ) : (
            <ul class="webhooks">
              {webhooks.map((hook) => (
                <Line
                  key={hook.id}
                  hook={hook}
                  open={open === hook.id}
                  onOpen={() => setOpen(open === hook.id ? null : hook.id)}
                  reload={asked.reload}
                />
              ))}
            </ul>
          )
        }
      </Answer>
      {adding && (
        <NewWebhook
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setSecret(made);
            asked.reload();
          }}
        />
      )}
      {secret && (
        <Dialog title="The secret of the webhook" onClose={() => setSecret(null)}>
          <p>Its deliveries are signed with this secret. It is shown this once.</p>
          <input
            class="mono"
            aria-label="Secret"
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <div class="deeds">
            <button
              type="button"
              onClick={() =>
                void attempt(() => navigator.clipboard.writeText(secret), 'The secret is on the clipboard.')
              }
            >
              Copy
            </button>
            <button type="button" class="primary" onClick={() => setSecret(null)}>
              I have it
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function Line({
  hook,
  open,
  onOpen,
  reload,
}: {
  hook: Webhook;
  open: boolean;
  onOpen: () => void;
  reload: () => void;
}) {
  const { id, name, url, types, enabled, disabledReason } = hook;
  const remove = () => {
    if (confirm(`Delete the webhook "${name}"? What waits for it is not sent any more.`))
      void attempt(() => ask(DeleteWebhookDocument, { id }), `The webhook "${name}" was deleted.`).then(reload);
  };
  return (
    <li class="card">
      <div class="row">
        <div class="grow">
          <strong>{name}</strong> <span class={`mark ${enabled ? 'good' : 'bad'}`}>{enabled ? 'on' : 'off'}</span>
          <div class="mono wrap">{url}</div>
          <small>{types.length ? types.join(', ') : 'all events that readers see'}</small>
          {disabledReason && <div class="problem">{disabledReason}</div>}
        </div>
        <Deed
          onClick={() =>
            void attempt(() => ask(PingWebhookDocument, { id }), 'A ping is on its way; see the deliveries.')
          }
        >
          Ping
        </Deed>
        <Deed onClick={() => void attempt(() => ask(EnableWebhookDocument, { id, enabled: !enabled })).then(reload)}>
          {enabled ? 'Turn off' : 'Turn on'}
        </Deed>
        <Deed onClick={remove}>Delete</Deed>
        <button type="button" aria-expanded={open} onClick={onOpen}>
          Deliveries
        </button>
      </div>
      {open && <Deliveries webhookId={id} />}
    </li>
  );
}

function NewWebhook({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  return (
    <FormDialog
      title="New webhook"
      deed="Make"
      onClose={onClose}
      onSubmit={async (form) => {
        const types = textOf(form, 'types')?.split(/[\s,]+/);
        const { createWebhook } = await ask(CreateWebhookDocument, {
          url: textOf(form, 'url') ?? '',
          name: textOf(form, 'name'),
          types,
        });
        onMade(createWebhook.secret);
      }}
    >
      <label>
        Address
        <input name="url" type="url" required placeholder="https://example.com/hooks/pdm" />
      </label>
      <label>
        Name
        <input name="name" maxLength={200} />
      </label>
      <label>
        Events
        <input name="types" placeholder="version.released, job.* (left empty: all that readers see)" />
      </label>
    </FormDialog>
  );
}
