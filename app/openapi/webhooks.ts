import { DESCRIBED } from '#webhooks/types/described_types'
import { PUBLIC_TYPES, type PublicType } from '#webhooks/types/public_types'
import { ref, type Schema } from './schema.ts'
import { schemaNameOf } from './schemas/webhook_event.ts'

/** OpenAPI 3.1 describes what a server sends; 3.0 contains only the schemas. */
export function describeWebhooks() {
  return Object.fromEntries(PUBLIC_TYPES.map((type) => [type, { post: describe(type) }]))
}

const HEADERS = {
  'webhook-id': 'The id of the event. A repeated delivery has the same one.',
  'webhook-timestamp': 'The time of this try, in seconds since the epoch.',
  'webhook-signature': 'HMACs by Standard Webhooks, one for each current secret: `v1,…`.',
}

/** In 3.0 the operation that sets the address describes what is sent there. */
export function describeCallbacks() {
  const schemas = PUBLIC_TYPES.map((type) => ref(schemaNameOf(type)))
  const post = describeDelivery('receiveEvent', 'An event', { anyOf: schemas })
  return { events: { '{$request.body#/url}': { post } } }
}

function describe(type: PublicType) {
  const name = schemaNameOf(type)
  return describeDelivery(`receive${name}`, DESCRIBED[type].when, ref(name))
}

function describeDelivery(operationId: string, summary: string, schema: Schema) {
  return {
    operationId,
    summary,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received: it is not sent again.' },
      '410': { description: 'Disables the endpoint.' },
      'default': { description: 'Not received: it is tried again for days.' },
    },
  }
}
