import vine, { SimpleMessagesProvider } from '@vinejs/vine'
import { fields, messages } from '@vinejs/vine/defaults'
import { ROLES } from '#models/roles'

type GetMessage = SimpleMessagesProvider['getMessage']

/** Names an item of a list by its path: “The redirectUris.4 field …”, where a bare “4” says nothing. */
class PathMessagesProvider extends SimpleMessagesProvider {
  override getMessage(...[message, rule, field, args]: Parameters<GetMessage>) {
    const path = field.getFieldPath()
    if (path === '' && rule === 'object') return 'The body must be a JSON object'
    const named = field.isArrayMember ? Object.create(field, { name: { value: path } }) : field
    return super.getMessage(message, rule, named, withBlanks(args))
  }
}

/** A list in a message has a blank after each comma. */
function withBlanks(args: Parameters<GetMessage>[3]) {
  return args?.choices ? { ...args, choices: args.choices.join(', ') } : args
}

const MESSAGES = {
  'boolean': 'The {{ field }} field must be true or false',
  'enum': 'The {{ field }} field must be one of {{ choices }}',
  'handle.regex':
    'The {{ field }} field must have a-z, 0-9, ".", "_" and "-" alone, begin with a letter or digit, and have at most 63 characters',
  'role.regex': `The {{ field }} field must be one of ${ROLES.join(', ')}`,
}

vine.messagesProvider = new PathMessagesProvider({ ...messages, ...MESSAGES }, fields)
