import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { newDataDirFor, Product } from './product.ts'

test.group('Start | brand and languages', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('pages show the brand and the texts of the operator', async ({ assert }) => {
    const dataDir = newDataDirFor()
    const logo = join(dataDir, 'logo')
    mkdirSync(join(dataDir, 'lang/de'), { recursive: true })
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const texts = { pages: { 404: { title: 'Nichts da' } } }
    writeFileSync(join(dataDir, 'lang/de/errors.json'), JSON.stringify(texts))
    const settings = { BRAND_NAME: 'Acme & Co', BRAND_LOGO: logo, BRAND_COLOR: '#a01f60' }
    product = await Product.start(settings, dataDir)
    const headers = { 'accept-language': 'de' }
    const page = await fetch(`${product.url}/admin/nowhere`, { headers })
    const html = await page.text()
    assert.include(html, 'Nichts da · Acme &amp; Co</title>')
    const picture = await fetch(product.url + /\/assets\/logo\.[\w-]+\.svg/.exec(html)![0])
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml')
    const style = await fetch(product.url + /\/assets\/gatehouse\.[\w-]+\.css/.exec(html)![0])
    assert.include(await style.text(), '--brand: #a01f60')
  })
})
