import { test } from '@japa/runner'
import { isDisplayName, toDisplayName } from '#models/display_name'
import { prepareUser } from '#users/transfer/imported_user'

const SHOWN = [
  { kind: 'Persian', name: '\u0645\u0647\u200C\u0631\u0627\u0632' },
  { kind: 'Sinhala', name: '\u0DC1\u0DCA\u200D\u0DBB\u0DD3' },
  { kind: 'Malayalam', name: '\u0D1C\u0D4B\u0D23\u0D4D\u200D' },
  { kind: 'a family', name: '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}' },
  { kind: 'an astronaut', name: '\u{1F469}\u{1F3FD}\u200D\u{1F680}' },
  { kind: 'a flag of two emoji', name: '\u{1F3F3}\uFE0F\u200D\u{1F308}' },
  { kind: 'a heart of an emoji', name: '\u2764\uFE0F Ada' },
  { kind: 'a key of a phone', name: '1\uFE0F\u20E3' },
  { kind: 'Japanese with a variation', name: '\u845B\u{E0100}\u57CE' },
]

const HIDDEN = [
  { kind: 'a zero width space', name: 'A\u200Bda', shown: 'Ada' },
  { kind: 'a direction mark', name: 'A\u202Eda', shown: 'Ada' },
  { kind: 'a byte order mark', name: 'A\uFEFFda', shown: 'Ada' },
  { kind: 'a line break', name: 'A\nda', shown: 'Ada' },
  { kind: 'a Hangul filler', name: 'Ada\u3164', shown: 'Ada' },
  { kind: 'a variation of a letter', name: 'A\uFE0Fda', shown: 'Ada' },
  { kind: 'a variation of nothing', name: '\uFE0FAda', shown: 'Ada' },
  { kind: 'two variations', name: '\u2764\uFE0F\uFE0F', shown: '\u2764\uFE0F' },
  { kind: 'half a character', name: 'A\uD800da', shown: 'Ada' },
  { kind: 'a joiner at the start', name: '\u200DAda', shown: 'Ada' },
  { kind: 'a joiner at the end', name: 'Ada\u200C', shown: 'Ada' },
  { kind: 'two joiners', name: 'A\u200D\u200Dda', shown: 'Ada' },
  { kind: 'a joiner between blanks', name: 'Ada \u200D Byron', shown: 'Ada  Byron' },
]

const row = (username: string) => ({ email: 'ada@example.org', username })

test.group('Display names', () => {
  test('{kind} is shown, imported and taken from a provider')
    .with(SHOWN)
    .run(({ assert }, { name }) => {
      assert.isTrue(isDisplayName(name))
      assert.equal(toDisplayName(name), name)
      assert.containsSubset(prepareUser(row(name), 'gatehouse'), { user: { username: name } })
    })

  test('{kind} is refused, and removed from the name of a provider')
    .with(HIDDEN)
    .run(({ assert }, { name, shown }) => {
      assert.isFalse(isDisplayName(name))
      assert.equal(toDisplayName(name), shown)
    })

  test('an import refuses the row of a name with {kind}')
    .with(HIDDEN.filter(({ name }) => name.trim() === name))
    .run(({ assert }, { name }) => {
      assert.deepEqual(prepareUser(row(name), 'gatehouse'), {
        outcome: 'refused',
        email: 'ada@example.org',
        field: 'username',
        reason: 'has invisible characters in a name',
      })
    })

  test('a cut does not end a name with a joiner', ({ assert }) => {
    const name = `${'\u0645'.repeat(99)}\u200C\u0645`
    assert.equal(toDisplayName(name), '\u0645'.repeat(99))
  })
})
