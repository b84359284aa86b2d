// The list of webhooks.

import { useState } from 'preact/hooks';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  EnableWebhookDocument,
  ListWebhooksDocument,
  type ListWebhooksQuery,
  PingWebhookDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Dialog, FormDialog, formValue } from '../ui/dialog.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { runWithToast, showSuccess } from '../ui/toasts.tsx';
import { Deliveries } from './deliveries.tsx';

type Webhook = ListWebhooksQuery['webhooks'][number];

/** All webhooks with their status and deliveries. */
export function Webhooks() {
  const result = useQuery(ListWebhooksDocument, {}, ({ type }) => type.startsWith('webhook.'));
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <section aria-label="Webhooks">
      <div class="row">
        <h1>Webhooks</h1>
        <ActionButton class="primary end" icon="plus" onClick={() => setAdding(true)}>
          New webhook
        </ActionButton>
      </div>
      <QueryView query={result}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState>
              <p>No webhooks yet. A webhook receives every event as a signed POST.</p>
              <HelpLink topic="events#webhooks">How to receive and verify events</HelpLink>
            </EmptyState>
          ) : (
            <ul class="webhooks">
              {webhooks.map((hook) => (
                <WebhookItem
                  key={hook.id}
                  hook={hook}
                  isOpen={openId === hook.id}
                  onToggle={() => setOpenId(openId === hook.id ? null : hook.id)}
                  reload={result.reload}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {adding && (
        <NewWebhook
          onClose={() => setAdding(false)}
          onCreated={(createdSecret) => {
            setSecret(createdSecret);
            result.reload();
          }}
        />
      )}
      {secret && (
        <Dialog title="Webhook secret" onClose={() => setSecret(null)}>
          <p>Deliveries are signed with this secret. Copy it now; it won't be shown again.</p>
          <input
            class="mono"
            aria-label="Secret"
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <div class="actions">
            <button
              type="button"
              onClick={() => void runWithToast(() => navigator.clipboard.writeText(secret), 'Secret copied.')}
            >
              Copy
            </button>
            <button type="button" class="primary" onClick={() => setSecret(null)}>
              Done
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function WebhookItem({
  hook,
  isOpen,
  onToggle,
  reload,
}: {
  hook: Webhook;
  isOpen: boolean;
  onToggle: () => void;
  reload: () => void;
}) {
  const { id, name, url, types, enabled, disabledReason } = hook;
  const [deleting, setDeleting] = useState(false);
  return (
    <li class="card">
      <div class="row">
        <div class="grow">
          <strong>{name}</strong>{' '}
          <span class={`mark ${enabled ? 'good' : 'bad'}`}>{enabled ? 'enabled' : 'disabled'}</span>
          <div class="mono wrap">{url}</div>
          <small>{types.length ? types.join(', ') : 'all events visible to viewers'}</small>
          {disabledReason && <div class="problem">{disabledReason}</div>}
        </div>
        <ActionButton
          onClick={() =>
            void runWithToast(() => execute(PingWebhookDocument, { id }), 'Ping queued. See the deliveries.')
          }
        >
          Ping
        </ActionButton>
        <ActionButton
          onClick={() =>
            void runWithToast(() => execute(EnableWebhookDocument, { id, enabled: !enabled })).then(reload)
          }
        >
          {enabled ? 'Disable' : 'Enable'}
        </ActionButton>
        <ActionButton onClick={() => setDeleting(true)}>Delete…</ActionButton>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          Deliveries
        </button>
      </div>
      {isOpen && <Deliveries webhookId={id} />}
      {deleting && (
        <FormDialog
          title={`Delete the webhook “${name}”?`}
          submitLabel="Delete"
          danger
          onClose={() => setDeleting(false)}
          onSubmit={async () => {
            await execute(DeleteWebhookDocument, { id });
            showSuccess(`Webhook “${name}” deleted.`);
            reload();
          }}
        >
          <p>Pending deliveries will not be sent.</p>
        </FormDialog>
      )}
    </li>
  );
}

function NewWebhook({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  return (
    <FormDialog
      title="New webhook"
      help="events#webhooks"
      submitLabel="Create"
      onClose={onClose}
      onSubmit={async (form) => {
        const types = formValue(form, 'types')?.split(/[\s,]+/);
        const { createWebhook } = await execute(CreateWebhookDocument, {
          url: formValue(form, 'url') ?? '',
          name: formValue(form, 'name'),
          types,
        });
        onCreated(createWebhook.secret);
      }}
    >
      <label>
        URL
        <input name="url" type="url" required placeholder="https://example.com/hooks/pdm" />
      </label>
      <label>
        Name
        <input name="name" maxLength={200} />
      </label>
      <label>
        Events
        <input name="types" placeholder="All events" />
        <small>For example version.released, job.*</small>
      </label>
    </FormDialog>
  );
}
