import { test } from '@japa/runner'
import { canonicalGroupName, groupKey, isProviderName } from '#groups/group_name'

const OLD = 'Cafe\u0301'

test.group('Group names', () => {
  test('keep how they are written')
    .with(['admins', 'Staff/Berlin', 'Größe', '管理者', '__proto__', 'constructor', 'a b', '👩‍💻'])
    .run(({ assert }, name) => {
      assert.equal(canonicalGroupName(name), name)
    })

  test('are composed characters', ({ assert }) => {
    assert.equal(canonicalGroupName(OLD), 'Caf\u00E9')
    assert.equal(groupKey(OLD), groupKey('CAF\u00C9'))
  })

  test('have 1 to 128 characters', ({ assert }) => {
    assert.isNull(canonicalGroupName(''))
    assert.equal(canonicalGroupName('𝔸'.repeat(128)), '𝔸'.repeat(128))
    assert.isNull(canonicalGroupName('𝔸'.repeat(129)))
  })

  test('show all that is in them')
    .with([' a', 'a ', 'a\n', '\ta', 'a\u00A0', 'a\u0000b', 'a\u0085b', 'a\u200Bb', 'a\u202Eb'])
    .run(({ assert }, name) => {
      assert.isNull(canonicalGroupName(name))
    })

  test('have no surrogate, private or unassigned character')
    .with(['a\uD800', 'a\uE000', 'a\uFFFF'])
    .run(({ assert }, name) => {
      assert.isNull(canonicalGroupName(name))
    })

  test('are the same in other capitals')
    .with([
      ['ADMINS', 'admins'],
      ['straße', 'STRASSE'],
      ['ΟΔΟΣ', 'οδος'],
      ['adminſ', 'admins'],
      ['\u212Aings', 'kings'],
    ])
    .run(({ assert }, [one, other]) => {
      assert.equal(groupKey(one), groupKey(other))
    })

  test('of providers are the same in small letters alone')
    .with([
      ['acme:Staff', 'ACME:sTAFF', true],
      ['acme:Cafe\u0301', 'acme:CAF\u00C9', true],
      ['acme:ſtaff', 'acme:staff', false],
      ['acme:straße', 'acme:strasse', false],
      ['acme:ﬁnance', 'acme:finance', false],
      ['acme:admıns', 'acme:admins', false],
      ['acme:ϴ', 'acme:Θ', false],
      ['acme:Θ', 'acme:θ', true],
      ['acme:ΟΔΟΣ', 'acme:οδος', true],
    ] as const)
    .run(({ assert }, [one, other, areSame]) => {
      assert.equal(groupKey(one) === groupKey(other), areSame)
    })

  test('of providers have the letter of no other capital', ({ assert }) => {
    const capitals = new Map<string, string[]>()
    for (let point = 0; point < 0x11_0000; point++) {
      const letter = String.fromCodePoint(point)
      if (!/\p{Lu}|\p{Lt}/u.test(letter) || letter.normalize('NFC') !== letter) continue
      const key = groupKey(`acme:${letter}`)
      capitals.set(key, [...(capitals.get(key) ?? []), letter])
    }
    const shared = [...capitals.values()].filter((letters) => letters.length > 1)
    /** The upper-case and the title-case form of one letter. */
    assert.deepEqual(
      shared.map((letters) => letters.join('')),
      ['Ǆǅ', 'Ǉǈ', 'Ǌǋ', 'Ǳǲ']
    )
  })

  test('with a colon belong to providers', ({ assert }) => {
    assert.isTrue(isProviderName('acme:staff'))
    assert.isFalse(isProviderName('staff'))
  })
})
