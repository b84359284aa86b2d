import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  ListWebhookDeliveriesDocument,
  ListWebhooksDocument,
  PingWebhookDocument,
  ReadEventsDocument,
  ReadWebhookDocument,
  RedeliverEventDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const EVENT_ROUTES: readonly Route[] = [
  route(
    'GET /events',
    'What was recorded after a place in the log, oldest first, as CloudEvents; types are separated by commas, e.g. version.released,document.*',
    ReadEventsDocument,
    'events',
    { after: 'query', types: 'query', limit: 'query', cursor: 'query' },
  ),
];

export const WEBHOOK_ROUTES: readonly Route[] = [
  route('GET /webhooks', 'List the webhooks; for administrators', ListWebhooksDocument, 'webhookPage', PAGE, {
    usualSort: 'createdAt',
  }),
  route(
    'POST /webhooks',
    'Make a webhook; for administrators. The answer holds the secret that its deliveries are signed with, which is told only once',
    CreateWebhookDocument,
    'createWebhook',
    { url: 'body.*', name: 'body.*', types: 'body.*' },
    { status: 201, location: '/webhooks/:id' },
  ),
  route('GET /webhooks/:id', 'Read a webhook; for administrators', ReadWebhookDocument, 'webhook', { id: 'path' }),
  route(
    'PATCH /webhooks/:id',
    'Change a webhook, turn it off or on again; for administrators',
    UpdateWebhookDocument,
    'updateWebhook',
    { id: 'path', url: 'body.*', name: 'body.*', types: 'body.*', enabled: 'body.*' },
    { notNull: ['url', 'name', 'types', 'enabled'] },
  ),
  route(
    'DELETE /webhooks/:id',
    'Delete a webhook; for administrators',
    DeleteWebhookDocument,
    'deleteWebhook',
    { id: 'path' },
    { status: 204 },
  ),
  route(
    'POST /webhooks/:id/secret',
    'Give a webhook a new secret, told only once; for a day deliveries are signed with the earlier one too; for administrators',
    RotateWebhookSecretDocument,
    'rotateWebhookSecret',
    { id: 'path' },
  ),
  route(
    'POST /webhooks/:id/ping',
    'Send a webhook the event webhook.pinged; for administrators',
    PingWebhookDocument,
    'pingWebhook',
    { id: 'path' },
    { status: 202 },
  ),
  route(
    'GET /webhooks/:id/deliveries',
    'What was sent to a webhook within 30 days and what waits for it, newest first; for administrators',
    ListWebhookDeliveriesDocument,
    'webhookDeliveries',
    { id: 'path', status: 'query', ...PAGE },
    { usualSort: '-createdAt' },
  ),
  route(
    'POST /webhooks/:id/deliveries/:eventId/redeliver',
    'Send an event to a webhook again; for administrators',
    RedeliverEventDocument,
    'redeliverEvent',
    { id: 'path', eventId: 'path' },
    { status: 202 },
  ),
];
