import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { createProvider } from '#settings/external_providers'
import { createWebhook } from '#webhooks/endpoints'
import type { PublicType } from '#webhooks/types/public_types'

/* Groups, a working webhook with earlier events, and an external provider of the demo company. */

const GROUPS = [
  { name: 'engineering', title: 'Engineering', members: ['Ada Lovelace', 'Ken Thompson'] },
  { name: 'finance', title: 'Finance', members: ['Mary Jackson', 'Annie Easley', 'Ida Rhodes'] },
  { name: 'on-call', title: 'On call', members: ['Ada Lovelace', 'Radia Perlman'] },
]

const DELIVERED: PublicType[] = [
  'user.created',
  'group.member_added',
  'password.changed',
  'user.updated',
]

const MINUTE_MS = 60_000

export async function makeIntegrations() {
  for (const { members, ...group } of GROUPS) {
    const { id } = await createGroup(group, SYSTEM)
    const users = await User.query().whereIn('username', members)
    for (const user of users) await addMember(user.id, id, SYSTEM)
  }
  const issuer = 'https://accounts.google.com'
  const identity = { clientId: '4711-demo', clientSecret: 'kept-by-the-demo' }
  await createProvider({ name: 'google', issuer, ...identity }, SYSTEM)
  await makeWebhook()
  await sealPending()
}

async function makeWebhook() {
  const url = 'https://hooks.example.org/gatehouse'
  const events = ['user.*', 'group.*', 'password.changed']
  const { webhook } = await createWebhook({ name: 'Chat', url, events }, SYSTEM)
  const deliveries = DELIVERED.map((type, index) => ({
    id: uuidv7(),
    webhook_id: webhook.id,
    event_id: uuidv7(),
    type,
    status: 'delivered',
    attempts: 1,
    response_status: 204,
    duration_ms: 38 + index * 7,
    created_at: Date.now() - (4 + (DELIVERED.length - index) * 11) * MINUTE_MS,
  }))
  await db.table('webhook_deliveries').multiInsert(deliveries)
}
