import vine, { SimpleMessagesProvider } from '@vinejs/vine'
import { fields, messages } from '@vinejs/vine/defaults'

type GetMessage = SimpleMessagesProvider['getMessage']

/** Names an item of a list by its path: “The redirectUris.4 field …”, where a bare “4” says nothing. */
class PathMessagesProvider extends SimpleMessagesProvider {
  override getMessage(...[message, rule, field, args]: Parameters<GetMessage>) {
    const name = { value: field.getFieldPath() }
    const named = field.isArrayMember ? Object.create(field, { name }) : field
    return super.getMessage(message, rule, named, args)
  }
}

const HANDLE =
  'The {{ field }} field must have a-z, 0-9, ".", "_" and "-" alone, begin with a letter or digit, and have at most 63 characters'

vine.messagesProvider = new PathMessagesProvider({ ...messages, 'handle.regex': HANDLE }, fields)
