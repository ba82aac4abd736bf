import vine from '@vinejs/vine'
import { proof } from './auth.ts'
import { clientFormRules, clientRules } from './client_rules.ts'
import { displayName } from './rules.ts'

export const createClientValidator = vine.create({ ...clientRules, name: displayName(), ...proof })

export const updateClientValidator = vine.create({ ...clientRules, ...proof })

export const clientFormValidator = vine.create(clientFormRules)
