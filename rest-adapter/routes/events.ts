import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const EVENT_ROUTES: readonly Route[] = [
  route('GET /events', {
    summary:
      'List events after a `seq`, oldest first, as CloudEvents; `types` is comma-separated, e.g. version.released,document.*',
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
    summary: 'List webhooks (administrators only)',
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
    errors: ['admin_only'],
    variables: PAGE_VARIABLES,
    defaultSort: 'createdAt',
  }),
  route('POST /webhooks', {
    summary:
      'Create a webhook (administrators only). The response contains the signing secret, which is shown only once',
    operation: operation(`
      mutation CreateWebhook($url: String!, $name: String, $types: [String!]) {
        createWebhook(url: $url, name: $name, types: $types) {
          ...WebhookWithSecret
        }
      }
    `),
    pick: 'createWebhook',
    errors: ['admin_only'],
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
    summary: 'Read a webhook (administrators only)',
    operation: operation(`
      query ReadWebhook($id: ID!) {
        webhook(id: $id) {
          ...Webhook
        }
      }
    `),
    pick: 'webhook',
    errors: ['admin_only'],
    variables: { id: 'path' },
  }),
  route('PATCH /webhooks/:id', {
    summary: 'Update, disable or enable a webhook (administrators only)',
    operation: operation(`
      mutation UpdateWebhook($id: ID!, $url: String, $name: String, $types: [String!], $enabled: Boolean) {
        updateWebhook(id: $id, url: $url, name: $name, types: $types, enabled: $enabled) {
          ...Webhook
        }
      }
    `),
    pick: 'updateWebhook',
    errors: ['admin_only'],
    variables: { id: 'path', url: 'body.*', name: 'body.*', types: 'body.*', enabled: 'body.*' },
    example: { types: ['version.released'], enabled: true },
    notNull: ['url', 'name', 'types', 'enabled'],
  }),
  route('DELETE /webhooks/:id', {
    summary: 'Delete a webhook (administrators only)',
    operation: operation(`
      mutation DeleteWebhook($id: ID!) {
        deleteWebhook(id: $id)
      }
    `),
    pick: 'deleteWebhook',
    errors: ['admin_only'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('POST /webhooks/:id/secret', {
    summary:
      'Rotate the secret of a webhook (administrators only). The new secret is shown only once; for 24 hours, deliveries are also signed with the previous one',
    operation: operation(`
      mutation RotateWebhookSecret($id: ID!) {
        rotateWebhookSecret(id: $id) {
          ...WebhookWithSecret
        }
      }
    `),
    pick: 'rotateWebhookSecret',
    errors: ['admin_only'],
    variables: { id: 'path' },
  }),
  route('POST /webhooks/:id/ping', {
    summary: 'Send the test event webhook.pinged to a webhook (administrators only)',
    operation: operation(`
      mutation PingWebhook($id: ID!) {
        pingWebhook(id: $id) {
          ...WebhookDelivery
        }
      }
    `),
    pick: 'pingWebhook',
    errors: ['admin_only'],
    variables: { id: 'path' },
    status: 202,
  }),
  route('GET /webhooks/:id/deliveries', {
    summary: "List a webhook's deliveries of the last 30 days, newest first (administrators only)",
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
    errors: ['admin_only'],
    variables: { id: 'path', status: 'query', ...PAGE_VARIABLES },
    defaultSort: '-createdAt',
  }),
  route('POST /webhooks/:id/deliveries/:eventId/redeliver', {
    summary: 'Redeliver an event to a webhook (administrators only)',
    operation: operation(`
      mutation RedeliverEvent($id: ID!, $eventId: ID!) {
        redeliverEvent(id: $id, eventId: $eventId) {
          ...WebhookDelivery
        }
      }
    `),
    pick: 'redeliverEvent',
    errors: ['admin_only'],
    variables: { id: 'path', eventId: 'path' },
    status: 202,
  }),
];
