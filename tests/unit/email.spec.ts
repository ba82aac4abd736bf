import { test } from '@japa/runner'
import { canonicalEmail } from '#models/email'

test.group('Canonical e-mail', () => {
  test('the canonical form of {given} is {expected}')
    .with([
      { given: ' Ada@Example.ORG ', expected: 'ada@example.org' },
      { given: 'a.b+c@gmail.com', expected: 'a.b+c@gmail.com' },
      { given: "o'neil@example.org", expected: "o'neil@example.org" },
      { given: 'ada@bücher.example', expected: 'ada@xn--bcher-kva.example' },
      { given: 'ada@ＥＸＡＭＰＬＥ.org', expected: 'ada@example.org' },
    ])
    .run(({ assert }, { given, expected }) => {
      assert.equal(canonicalEmail(given), expected)
    })

  test('{given} is no e-mail address')
    .with(
      [
        '',
        'ada',
        '@example.org',
        'ada@',
        'ada@localhost',
        'a da@example.org',
        'ada@@example.org',
        '.ada@example.org',
        'a..da@example.org',
        'ada.@example.org',
        'mıke@example.org',
        'ad\u212Aa@example.org',
        '" "@example.org',
        'ada@[127.0.0.1]',
        'ada@127.0.0.1',
        'ada@exa mple.org',
        'ada@-example.org',
        'ada@example.org\r\nBcc: all@example.org',
        'ada@example.org/x',
        'ada@example.org#x',
        'ada@example.org?x',
        'ada@example.org\\x',
        'ada@example.org:25',
        'ada@exam\tple.org',
        'ada@exam\nple.org',
        'ada@ex%61mple.org',
        'ada@exam\u00ADple.org',
        'ada@exam\u200Bple.org',
        'ada@example.org\uFF0Fx',
        'ada@ex\uFF0561mple.org',
      ].map((given) => ({ given }))
    )
    .run(({ assert }, { given }) => {
      assert.isNull(canonicalEmail(given))
    })

  test('an address has at most 254 characters', ({ assert }) => {
    const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.org`
    const local = (length: number) => 'a'.repeat(length - domain.length - 1)
    assert.isNotNull(canonicalEmail(`${'a'.repeat(64)}@${domain}`))
    assert.isNull(canonicalEmail(`${'a'.repeat(65)}@${domain}`))
    const long = `${domain.slice(0, -4)}.${'g'.repeat(60)}.org`
    assert.isNull(canonicalEmail(`${local(300)}@${long}`))
  })
})
