import { isMissing, type Rule } from './rules.ts'

/** White text on a fill of the colour has to be readable (WCAG 2.2, success criterion 1.4.3). */
const LEAST_CONTRAST = 4.5

const OWN_COLOR = '#2f56cf'

export function brandColor(): Rule<string> {
  return (name, value) => {
    const color = (isMissing(value) ? OWN_COLOR : value.trim()).toLowerCase()
    if (!/^#[0-9a-f]{6}$/.test(color)) throw new Error(`${name} must be a colour such as #2f56cf`)
    const contrast = contrastToWhite(color)
    if (contrast >= LEAST_CONTRAST) return color
    const found = { contrast: contrast.toFixed(2), darker: darker(color) }
    throw new Error(
      `${name} has a contrast of ${found.contrast}:1 to white and needs ${LEAST_CONTRAST}:1: take a darker colour, such as ${found.darker}`,
      { cause: found }
    )
  }
}

function contrastToWhite(color: string) {
  const [red, green, blue] = channels(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

function channels(color: string) {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

function darker(color: string): string {
  const dimmed = channels(color).map((channel) => Math.floor(channel * 0.97))
  const next = `#${dimmed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  return contrastToWhite(next) >= LEAST_CONTRAST ? next : darker(next)
}

export function brandName(fallback: string): Rule<string> {
  return (name, value) => {
    const brand = isMissing(value) ? fallback : value.trim()
    if (/^[^\p{C}<>"]{1,60}$/u.test(brand)) return brand
    throw new Error(
      `${name} must be a name of at most 60 characters, without line breaks, < > or "`
    )
  }
}

export function webAddress(): Rule<string | undefined> {
  return (name, value) => {
    if (isMissing(value)) return undefined
    const url = URL.parse(value.trim())
    const isWeb = url && /^https?:$/.test(url.protocol) && !url.username && !url.host.includes(',')
    if (isWeb) return url.href
    throw new Error(`${name} must be one address such as https://www.example.org/terms`)
  }
}
