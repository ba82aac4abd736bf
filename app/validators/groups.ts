import vine from '@vinejs/vine'
import limits from '#config/limits'
import { canonicalGroupName } from '#groups/group_name'
import { parseGroupCursor } from '#groups/list_groups'
import { reauthentication } from './auth.ts'
import { displayName, text } from './rules.ts'

const MESSAGE =
  'The {{ field }} field must have 1 to 128 printable characters, and no blanks at its ends'

const groupNameRule = vine.createRule(
  (value, _, field) => {
    const name = typeof value === 'string' ? canonicalGroupName(value) : null
    if (name === null) field.report(MESSAGE, 'groupName', field)
    else field.mutate(name, field)
  },
  {
    name: 'groupName',
    toJSONSchema: (schema) => Object.assign(schema, { minLength: 1, maxLength: limits.groupName }),
  }
)

/** The validated value is in NFC. */
const groupName = () => vine.string().use(groupNameRule())

/** A character outside the basic plane counts twice, and a composed one more often. */
export const anyGroupName = () => text(4 * limits.groupName).minLength(1)

export const groupFilter = () => anyGroupName().optional()

const fields = {
  title: displayName().nullable().optional(),
  description: text(limits.reason).trim().nullable().optional(),
}

export const createGroupValidator = vine.create({ name: groupName(), ...fields })

export const updateGroupValidator = vine.create({
  name: groupName().optional(),
  ...fields,
  ...reauthentication,
})

/** The form of a provider's group has no field for the name. */
export const groupFormValidator = vine.create({ name: groupName().optional(), ...fields })

export const memberFormValidator = vine.create({ user: text(limits.search).trim().minLength(1) })

export const userGroupFormValidator = vine.create({ group: anyGroupName() })

export const groupNames = () => vine.array(anyGroupName()).maxLength(limits.groupNames)

export const userGroupsValidator = vine.create({
  groups: groupNames(),
  ...reauthentication,
})

const limit = () => vine.number().withoutDecimals().min(1).max(limits.groupPage).optional()

const cursorRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && parseGroupCursor(value) !== null) return
    field.report('The {{ field }} field must come from a Link of this list', 'cursor', field)
  },
  { name: 'cursor', toJSONSchema: (schema) => Object.assign(schema, { minLength: 1 }) }
)

/** Without a cursor and a limit, a list contains as many groups as fit. */
export const listGroupsValidator = vine.create({
  cursor: vine.string().maxLength(limits.cursor).use(cursorRule()).optional(),
  limit: limit(),
  search: text(limits.search).trim().minLength(1).optional(),
})

export const listMembersValidator = vine.create({
  cursor: vine.string().uuid().toLowerCase().optional(),
  limit: limit(),
})
