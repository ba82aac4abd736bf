import type { Group } from '#groups/group'
import type { GroupMember } from '#groups/list_members'
import { listOf, record, type Schema } from '../schema.ts'
import { count, instant, text, textOrNull, uuid } from './fields.ts'

const name: Schema = { ...text, example: 'Staff/Berlin' }
const title: Schema = { ...textOrNull, example: 'Staff in Berlin' }

export const group = record<Group>({
  id: { ...uuid, example: '01a1fd70-f1c0-7d20-8e45-91b6c0a7f2d3' },
  name,
  title,
  description: { ...textOrNull, example: 'Keys to the house in Berlin' },
  memberCount: { ...count, example: 42 },
})

export const groupMember = record<GroupMember>({
  id: uuid,
  username: text,
  nickname: textOrNull,
  email: { ...textOrNull, description: 'Null for a service account.' },
  addedAt: instant,
})

export const ownGroup = record<{ name: string; title: string | null }>({ name, title })

export const groupNames = record<{ groups: string[] }>({
  groups: { ...listOf(text), example: ['Staff/Berlin', 'grafana-editors'] },
})
