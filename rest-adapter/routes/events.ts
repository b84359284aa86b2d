import { operation } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const EVENT_ROUTES: readonly Route[] = [
  route('GET /events', {
    summary:
      'What was recorded after a place in the log, oldest first, as CloudEvents; types are separated by commas, e.g. version.released,document.*',
    operation: operation(`
      query ReadEvents($after: Float, $types: String, $limit: Int, $cursor: String) {
        events(after: $after, types: $types, limit: $limit, cursor: $cursor) {
          items {
            specversion
            id
            source
            type
            subject
            time
            datacontenttype
            sequence
            data {
              ...AuditRecord
            }
          }
          next
          nextCursor
        }
      }
    `),
    pick: 'events',
    variables: { after: 'query', types: 'query', limit: 'query', cursor: 'query' },
  }),
];

export const WEBHOOK_ROUTES: readonly Route[] = [
  route('GET /webhooks', {
    summary: 'List the webhooks; for administrators',
    operation: operation(`
      query ListWebhooks($sort: WebhookSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean) {
        webhookPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
          items {
            ...Webhook
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'webhookPage',
    variables: PAGE,
    usualSort: 'createdAt',
  }),
  route('POST /webhooks', {
    summary:
      'Make a webhook; for administrators. The answer holds the secret that its deliveries are signed with, which is told only once',
    operation: operation(`
      mutation CreateWebhook($url: String!, $name: String, $types: [String!]) {
        createWebhook(url: $url, name: $name, types: $types) {
          ...WebhookWithSecret
        }
      }
    `),
    pick: 'createWebhook',
    variables: { url: 'body.*', name: 'body.*', types: 'body.*' },
    example: {
      url: 'https://example.com/hooks/pdm',
      name: 'Release board',
      types: ['version.released', 'revision.*'],
    },
    status: 201,
    location: '/webhooks/:id',
  }),
  route('GET /webhooks/:id', {
    summary: 'Read a webhook; for administrators',
    operation: operation(`
      query ReadWebhook($id: ID!) {
        webhook(id: $id) {
          ...Webhook
        }
      }
    `),
    pick: 'webhook',
    variables: { id: 'path' },
  }),
  route('PATCH /webhooks/:id', {
    summary: 'Change a webhook, turn it off or on again; for administrators',
    operation: operation(`
      mutation UpdateWebhook($id: ID!, $url: String, $name: String, $types: [String!], $enabled: Boolean) {
        updateWebhook(id: $id, url: $url, name: $name, types: $types, enabled: $enabled) {
          ...Webhook
        }
      }
    `),
    pick: 'updateWebhook',
    variables: { id: 'path', url: 'body.*', name: 'body.*', types: 'body.*', enabled: 'body.*' },
    example: { types: ['version.released'], enabled: true },
    notNull: ['url', 'name', 'types', 'enabled'],
  }),
  route('DELETE /webhooks/:id', {
    summary: 'Delete a webhook; for administrators',
    operation: operation(`
      mutation DeleteWebhook($id: ID!) {
        deleteWebhook(id: $id)
      }
    `),
    pick: 'deleteWebhook',
    variables: { id: 'path' },
    status: 204,
  }),
  route('POST /webhooks/:id/secret', {
    summary:
      'Give a webhook a new secret, told only once; for a day deliveries are signed with the earlier one too; for administrators',
    operation: operation(`
      mutation RotateWebhookSecret($id: ID!) {
        rotateWebhookSecret(id: $id) {
          ...WebhookWithSecret
        }
      }
    `),
    pick: 'rotateWebhookSecret',
    variables: { id: 'path' },
  }),
  route('POST /webhooks/:id/ping', {
    summary: 'Send a webhook the event webhook.pinged; for administrators',
    operation: operation(`
      mutation PingWebhook($id: ID!) {
        pingWebhook(id: $id) {
          ...WebhookDelivery
        }
      }
    `),
    pick: 'pingWebhook',
    variables: { id: 'path' },
    status: 202,
  }),
  route('GET /webhooks/:id/deliveries', {
    summary: 'What was sent to a webhook within 30 days and what waits for it, newest first; for administrators',
    operation: operation(`
      query ListWebhookDeliveries(
        $id: ID!, $status: DeliveryStatus, $sort: DeliverySort, $descending: Boolean, $limit: Int
        $cursor: String, $total: Boolean
      ) {
        webhookDeliveries(
          id: $id, status: $status, sort: $sort, descending: $descending, limit: $limit, cursor: $cursor
          total: $total
        ) {
          items {
            ...WebhookDelivery
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'webhookDeliveries',
    variables: { id: 'path', status: 'query', ...PAGE },
    usualSort: '-createdAt',
  }),
  route('POST /webhooks/:id/deliveries/:eventId/redeliver', {
    summary: 'Send an event to a webhook again; for administrators',
    operation: operation(`
      mutation RedeliverEvent($id: ID!, $eventId: ID!) {
        redeliverEvent(id: $id, eventId: $eventId) {
          ...WebhookDelivery
        }
      }
    `),
    pick: 'redeliverEvent',
    variables: { id: 'path', eventId: 'path' },
    status: 202,
  }),
];
