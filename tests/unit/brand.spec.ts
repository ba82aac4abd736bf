import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { brandColor, brandName, webAddress } from '#setup/environment/brand_rules'
import { readLogo } from '#setup/environment/brand_logo'
import { temporaryFolder } from '#tests/support/temporary_folder'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])

function logoOf(content: Buffer | string) {
  const folder = temporaryFolder('brand')
  const file = join(folder, 'picture.png')
  writeFileSync(file, content)
  try {
    return readLogo(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function faultOf(read: () => unknown) {
  try {
    read()
  } catch (error) {
    return error.help as string
  }
}

test.group('Brand | colour', () => {
  test('{color} is dark enough for white text')
    .with([{ color: '#2F56CF' }, { color: '#767676' }, { color: '#000000' }])
    .run(({ assert }, { color }) => {
      assert.equal(brandColor()('BRAND_COLOR', color), color.toLowerCase())
    })

  test('one just too light is refused with its ratio', ({ assert }) => {
    const read = () => brandColor()('BRAND_COLOR', '#777777')
    assert.throws(read, /BRAND_COLOR has a contrast of 4\.48:1 .* needs 4\.5:1/)
  })

  test('the remedy is a colour that is taken')
    .with(['#ff9900', '#ffffff', '#00ff00', '#777777'])
    .run(({ assert }, color) => {
      try {
        brandColor()('BRAND_COLOR', color)
        assert.fail('the colour was taken')
      } catch (error) {
        const remedy = /such as (#[0-9a-f]{6})$/.exec(error.message)![1]
        assert.equal(brandColor()('BRAND_COLOR', remedy), remedy)
      }
    })

  test('{color} is no colour')
    .with([{ color: 'blue' }, { color: '#fff' }, { color: '#2f56cf;}' }])
    .run(({ assert }, { color }) => {
      assert.throws(() => brandColor()('BRAND_COLOR', color), /must be a colour/)
    })
})

test.group('Brand | name and addresses', () => {
  test('a name is one short line', ({ assert }) => {
    const rule = brandName('Gatehouse')
    assert.equal(rule('BRAND_NAME'), 'Gatehouse')
    assert.equal(rule('BRAND_NAME', 'Müller & Söhne'), 'Müller & Söhne')
    for (const name of ['a\nb', 'x'.repeat(61), '<b>', 'a"b']) {
      assert.throws(() => rule('BRAND_NAME', name), /BRAND_NAME must be a name/)
    }
  })

  test('an address is one page of the web', ({ assert }) => {
    const rule = webAddress()
    assert.isUndefined(rule('TERMS_URL'))
    assert.equal(rule('TERMS_URL', 'https://a.example/terms?v=2'), 'https://a.example/terms?v=2')
    for (const address of ['javascript:alert(1)', 'https://a.example,https://b.example', 'terms']) {
      assert.throws(() => rule('TERMS_URL', address), /TERMS_URL must/)
    }
  })
})

test.group('Brand | logo', () => {
  test('the content decides the type of a logo: {type}')
    .with([
      { type: 'image/png', content: PNG },
      { type: 'image/jpeg', content: Buffer.from('\xff\xd8\xff\xe0', 'latin1') },
      { type: 'image/webp', content: Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1') },
      { type: 'image/svg+xml', content: '<?xml version="1.0"?>\n<!-- A -->\n<svg xmlns="x"/>' },
    ])
    .run(({ assert }, { type, content }) => {
      assert.equal(logoOf(content)!.type, type)
    })

  test('is none without the variable', ({ assert }) => {
    assert.isNull(readLogo(undefined))
  })

  test('another file is refused: {name}')
    .with([
      { name: 'a page', content: '<html><svg></svg></html>' },
      { name: 'nothing', content: '' },
    ])
    .run(({ assert }, { content }) => {
      assert.include(
        faultOf(() => logoOf(content))!,
        'PNG, JPEG, WebP or SVG'
      )
    })

  test('is at most 256 KB large', ({ assert }) => {
    const largest = Buffer.concat([PNG, Buffer.alloc(256 * 1024 - PNG.length)])
    assert.lengthOf(logoOf(largest)!.content, 256 * 1024)
    assert.include(
      faultOf(() => logoOf(Buffer.concat([largest, Buffer.alloc(1)])))!,
      '256 KB'
    )
  })

  test('a missing file is a line with the variable', ({ assert }) => {
    assert.include(
      faultOf(() => readLogo('/nowhere/logo.png'))!,
      'BRAND_LOGO cannot be read'
    )
  })
})
