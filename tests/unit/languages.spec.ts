import { test } from '@japa/runner'
import { argumentsOf } from '#i18n/message_arguments'
import { LANGUAGES, messagesIn, readSources } from './messages.ts'
import { readView, textsIn, viewFiles } from './view_texts.ts'

const english = messagesIn('en')
const others = LANGUAGES.filter((language) => language !== 'en')
const keys = [...english.keys()]

/** Messages that are the same word, name or sign in all four languages. */
const SAME_EVERYWHERE = new Set<string>([
  'console.health.latency',
  'console.nav.webhooks',
  'console.users.id',
  'console.users.mfa',
  'doctor.database.version',
  'events.fields.webhook',
  'webhooks.deliveries.duration',
  'webhooks.title',
])

/** Views that are neither a page nor a mail: styles. */
const WITHOUT_MESSAGES = ['mails/styles']

/** Keys that are composed at run time: the rules of validators. */
const PUT_TOGETHER = ['errors.validation.messages.']

const sources = readSources()
const usedPrefixes = [...sources.matchAll(/`([a-z_]+\.(?:[\w-]+\.)*)\$\{/g)].map(([, key]) => key)

function isUsed(key: string) {
  const isLiteral = [`'${key}'`, `"${key}"`, `\`${key}\``].some((text) => sources.includes(text))
  return isLiteral || [...usedPrefixes, ...PUT_TOGETHER].some((prefix) => key.startsWith(prefix))
}

test.group('Languages', () => {
  test('have every message in every language')
    .with(others)
    .run(({ assert }, language) => {
      assert.deepEqual([...messagesIn(language).keys()].sort(), [...keys].sort())
    })

  test('name the same values in every language')
    .with(others)
    .run(({ assert }, language) => {
      const messages = messagesIn(language)
      const different = keys.filter((key) => {
        const [here, there] = [argumentsOf(english.get(key)!), argumentsOf(messages.get(key)!)]
        return here.symmetricDifference(there).size > 0
      })
      assert.deepEqual(different, [])
    })

  test('translate every text but names', ({ assert }) => {
    const texts = others.map(messagesIn)
    const equal = keys.filter((key) => texts.every((each) => each.get(key) === english.get(key)))
    assert.deepEqual(
      equal.filter((key) => !SAME_EVERYWHERE.has(key)),
      []
    )
    assert.deepEqual(
      [...SAME_EVERYWHERE].filter((key) => !equal.includes(key)),
      []
    )
  })

  test('have no message that nothing uses', ({ assert }) => {
    assert.deepEqual(
      keys.filter((key) => !isUsed(key)),
      []
    )
  })

  test('have texts for codes that are declared', ({ assert }) => {
    const codes = keys.filter((key) => key.startsWith('errors.codes.')).map((key) => key.slice(13))
    assert.isAbove(codes.length, 20)
    assert.deepEqual(
      codes.filter((code) => !sources.includes(`'${code}'`)),
      []
    )
  })

  test('write apostrophes that end no placeholder')
    .with([...LANGUAGES])
    .run(({ assert }, language) => {
      const messages = [...messagesIn(language)]
      assert.deepEqual(
        messages.filter(([, text]) => text.includes("'")),
        []
      )
    })

  test('English says the noun instead of a pronoun', ({ assert }) => {
    const vague = /\b(whoever|nobody|theirs|that of|those of|of before)\b/i
    const found = [...messagesIn('en')].filter(([, text]) => vague.test(text))
    assert.deepEqual(found, [])
  })

  test('keep French signs on the line of their word', ({ assert }) => {
    const broken = [...messagesIn('fr')].filter(([, text]) => / [:;!?»%]|« /.test(text))
    assert.deepEqual(broken, [])
  })
})

test.group('Views | texts', () => {
  const views = viewFiles().map((file) => file.replace('.edge', ''))
  const checked = views.filter((view) => !WITHOUT_MESSAGES.includes(view))

  test('are messages and not literals', ({ assert }) => {
    const literal = checked.map((view) => [view, textsIn(readView(`${view}.edge`))] as const)
    assert.deepEqual(
      literal.filter(([, texts]) => texts.length > 0),
      []
    )
  })

  test('are found wherever people read them', ({ assert }) => {
    const found = [
      '<p title="A tooltip">A node</p>',
      "@!badge({ text: 'A label' })",
      "{{ isOn ? 'On' : 'Off' }}",
      '{{ `Rows of ${name}` }}',
    ].flatMap((source) => textsIn(source))
    assert.deepEqual(found, ['A node', 'A tooltip', 'A label', 'On', 'Off', 'Rows of'])
    assert.deepEqual(textsIn('<p class="small muted">{{ t(\'common.copy\') }}</p>'), [])
  })

  test('use keys of messages that exist', ({ assert }) => {
    const used = [...sources.matchAll(/\b(?:t|rich)\(\s*'([\w.-]+)'/g)].map(([, key]) => key)
    assert.isAbove(used.length, 10)
    assert.deepEqual(
      used.filter((key) => !english.has(key)),
      []
    )
  })
})
