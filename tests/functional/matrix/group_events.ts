import { randomUUID } from 'node:crypto'
import { userActor } from '#audit/actor'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { addMember, removeMember } from '#groups/members'
import type { EventRow, Scene } from './events.ts'

const FROM = { ip: '203.0.113.9', userAgent: null }

const byAdmin = ({ admin }: Scene) => userActor(admin.id, FROM)

const about = { actor: 'administrator', outcome: 'success', mails: [] } as const

async function newGroup(scene: Scene) {
  const { id } = await createGroup({ name: `Staff ${randomUUID()}` }, byAdmin(scene))
  return id
}

export const GROUP_EVENTS = {
  'group.created': {
    ...about,
    target: 'nobody',
    cause: async (scene) => {
      await newGroup(scene)
    },
  },
  'group.updated': {
    ...about,
    target: 'nobody',
    cause: async (scene) => {
      await updateGroup(await newGroup(scene), { title: 'Staff' }, byAdmin(scene))
    },
  },
  'group.deleted': {
    ...about,
    target: 'nobody',
    cause: async (scene) => {
      await deleteGroup(await newGroup(scene), byAdmin(scene))
    },
  },
  'group.member_added': {
    ...about,
    target: 'user',
    cause: async (scene) => {
      await addMember(scene.user.id, await newGroup(scene), byAdmin(scene))
    },
  },
  'group.member_removed': {
    ...about,
    target: 'user',
    cause: async (scene) => {
      const id = await newGroup(scene)
      await addMember(scene.user.id, id, byAdmin(scene))
      await removeMember(scene.user.id, id, byAdmin(scene))
    },
  },
} satisfies Record<string, EventRow>
