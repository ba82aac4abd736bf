import config from '#config/settings'
import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import {
  LISTED_NAMES,
  isLocked,
  isSecretSetting,
  isWritableSetting,
  parseSetting,
} from '#settings/values/definitions'
import { callerKindOf } from '#auth/callers/caller_kind'
import { E_SET_BY_ENVIRONMENT, E_SETTINGS_LOCKED } from './errors.ts'
import type { Actor } from '#audit/actor'
import type { WritableSetting } from '#settings/values/definitions'

/** Texts to store by setting. Null unsets a setting. */
export type Changes = Map<WritableSetting, string | null>

/** Commands stay allowed, as the way back in. @throws E_SETTINGS_LOCKED */
export function assertUnlocked(actor: Actor) {
  if (!config.inConsole && callerKindOf(actor) === 'user') throw new E_SETTINGS_LOCKED()
}

/**
 * Validates the values by the rules of the environment, before any value is stored.
 * @throws E_VALIDATION_ERROR, E_SET_BY_ENVIRONMENT
 */
export function readChanges(given: Record<string, unknown>): Changes {
  const changes: Changes = new Map()
  for (const [name, value] of Object.entries(given)) {
    assertWritable(name)
    changes.set(name, readValue(name, value))
  }
  const locked = [...changes.keys()].filter(isLocked)
  if (locked.length > 0) throw new E_SET_BY_ENVIRONMENT().with({ fields: locked })
  return changes
}

function assertWritable(name: string): asserts name is WritableSetting {
  if (isWritableSetting(name)) return
  const message = LISTED_NAMES.includes(name)
    ? `The ${name} setting is read at start: set it in the environment and restart`
    : 'This is no setting'
  throw invalidField(name, 'setting', message)
}

function readValue(name: WritableSetting, value: unknown) {
  if (value === null || value === '') return null
  if (name === 'BRAND_LOGO')
    throw invalidField(name, 'picture', `The ${name} setting is a picture: upload it, or send null`)
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw invalidField(name, 'value', `The ${name} setting must be a text, number or boolean`)
  const text = isSecretSetting(name) ? String(value) : String(value).trim()
  if (text.length > limits.settingText || /\p{Cc}/u.test(text)) throw tooLong(name)
  return text.trim() === '' ? null : judged(name, text)
}

function tooLong(name: WritableSetting) {
  const limit = String(limits.settingText)
  const message = `The ${name} setting must have at most ${limit} characters in one line`
  return invalidField(name, 'text', message).onPages('configure.invalid.text').withValues({ limit })
}

function judged(name: WritableSetting, text: string) {
  try {
    parseSetting(name, text)
    return text
  } catch (error) {
    throw onPages(name, error)
  }
}

/** Messages for the fields that are not a list of choices. */
const PAGE_MESSAGES: Partial<Record<WritableSetting, string>> = {
  BRAND_NAME: 'configure.invalid.brand_name',
  BRAND_COLOR: 'configure.invalid.color',
  MAIL_FROM: 'configure.invalid.sender',
  SMTP_PORT: 'configure.invalid.port',
  SIGN_UP_DOMAINS: 'configure.invalid.domains',
}

/** @param error its cause contains the values that the rule measured, if any */
function onPages(name: WritableSetting, { message, cause }: Error) {
  const refusal = invalidField(name, 'setting', message)
  if (cause) return refusal.onPages('configure.invalid.contrast').withValues({ ...cause })
  return refusal.onPages(PAGE_MESSAGES[name] ?? 'configure.invalid.choice')
}
