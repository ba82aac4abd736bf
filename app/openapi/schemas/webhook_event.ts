import { DESCRIBED } from '#webhooks/types/described_types'
import { PUBLIC_TYPES, type PublicType } from '#webhooks/types/public_types'
import type { PublicActor } from '#webhooks/types/actor'
import type { Members } from '#webhooks/types/members'
import { SESSION_ID, USER_ID } from '../examples.ts'
import { listOf, record, type Schema } from '../schema.ts'
import { count, instant, sessionId, text, textOrNull, uuid, yesNo } from './fields.ts'

/* The bodies that webhooks send: a schema for each type, from the table of types. */

const actor = record<PublicActor>(
  {
    kind: { type: 'string', enum: ['user', 'key', 'client', 'command', 'system'] },
    id: {
      ...textOrNull,
      description:
        'The id of the user, of the API key or of the user for whom an application acts, or the name of the operating system’s user. Null for the product itself, and for someone who is not signed in.',
      example: USER_ID,
    },
    userId: { ...uuid, description: 'The user for whom an API key acts.' },
    clientId: { ...text, description: 'The application that acts.' },
  },
  ['userId', 'clientId']
)

const scope: Schema = {
  ...record<NonNullable<Members['scope']>>({ userId: uuid, clientId: text, before: instant }, [
    'userId',
    'clientId',
  ]),
  description:
    'More than 50 sessions ended: all of this user with this client that started before then.',
}

const MEMBERS: Record<keyof Members, Schema> = {
  user: {
    ...record<Members['user']>({ id: uuid, email: text }, ['email']),
    description: 'The address is the current one. A deleted user has only an id.',
  },
  client: record<Members['client']>({ clientId: text }),
  group: record<Members['group']>({ id: uuid, name: textOrNull }),
  session: {
    ...record<Members['session']>({ id: sessionId, method: text, mfa: yesNo }, ['method', 'mfa']),
    description: 'The session that started.',
  },
  sessionIds: {
    ...listOf(uuid),
    maxItems: 50,
    description: 'All of them ended, except the `session` that started.',
    example: [SESSION_ID],
  },
  scope,
  changed: { ...listOf(text), description: 'Names of fields.', example: ['email'] },
  provider: text,
  passkeyId: uuid,
  reason: { type: 'string', enum: ['password', 'code'] },
  count: { ...count, description: 'Later failures of the same cause that this event stands for.' },
  lockKind: { type: 'string', enum: ['failures', 'administrator'] },
  until: instant,
  webhookId: uuid,
}

/** `WebhookUserCreated` for `user.created`. */
export function schemaNameOf(type: PublicType) {
  const words = type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1))
  return `Webhook${words.join('')}`
}

function bodyOf(type: PublicType): Schema {
  const { when, members } = DESCRIBED[type]
  const properties = Object.fromEntries(members.map((name) => [name, MEMBERS[name]]))
  const data = record({ sequence: count, actor, ...properties }, [...members] as never[])
  const body = record({ type: { ...text, enum: [type] }, timestamp: instant, data })
  return { ...body, description: when }
}

export const webhookEvents: Record<string, Schema> = Object.fromEntries(
  PUBLIC_TYPES.map((type) => [schemaNameOf(type), bodyOf(type)])
)
