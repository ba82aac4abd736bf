import brand from '#config/brand'
import { formatTime } from '#i18n/format'
import { drawInProcess } from './plot_process.ts'
import type { Activity } from '#audit/trail/activity'

/* The charting library writes inline styles, which the policy of pages forbids, so plots are images. */

/** The dark theme needs a lighter colour, mixed with white as the stylesheet does. */
function onDark(color: string) {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const lighter = channels.map((channel) => Math.round(channel + (255 - channel) * 0.5))
  return `#${lighter.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

export const PLOTS = {
  'sign-ins': {
    field: 'signIns',
    get light() {
      return brand.color
    },
    get dark() {
      return onDark(brand.color)
    },
  },
  'failures': { field: 'failures', light: '#b8750a', dark: '#eab454' },
  'locks': { field: 'locks', light: '#bd2433', dark: '#ff7f89' },
} as const

export type PlotName = keyof typeof PLOTS
export interface PlotStyle {
  theme: 'light' | 'dark'
  locale: string
}

const INK = {
  light: { text: '#555f6e', line: '#e3e6eb' },
  dark: { text: '#9ca6b5', line: '#272c35' },
}

/** @returns bars by hour or day, as an SVG document */
export function drawPlot(name: PlotName, style: PlotStyle, activity: Activity[]): Promise<string> {
  return drawInProcess(plotOptions(name, style, activity))
}

function plotOptions(name: PlotName, style: PlotStyle, activity: Activity[]) {
  const bars = {
    type: 'bar',
    data: activity.map((period) => period[PLOTS[name].field]),
    barCategoryGap: '28%',
    itemStyle: { color: PLOTS[name][style.theme], borderRadius: [2, 2, 0, 0] },
  }
  const grid = { left: 4, right: 4, top: 10, bottom: 2 }
  return { animation: false, grid, ...axes(style, activity), series: [bars] }
}

function axes({ theme, locale }: PlotStyle, activity: Activity[]) {
  const { text, line } = INK[theme]
  const label = { color: text, fontSize: 11, fontFamily: 'Inter, system-ui, sans-serif' }
  const isHourly = activity.length > 1 && activity[1].at - activity[0].at < 86_400_000
  const rule = { lineStyle: { color: line } }
  return {
    xAxis: {
      type: 'category',
      data: activity.map(({ at }) => (isHourly ? hourOf(at) : formatTime(locale, at, 'axisDay'))),
      axisLine: rule,
      axisTick: { show: false },
      axisLabel: { ...label, interval: Math.floor(activity.length / 5) },
    },
    yAxis: { type: 'value', minInterval: 1, splitNumber: 3, axisLabel: label, splitLine: rule },
  }
}

function hourOf(at: number) {
  return `${new Date(at).toISOString().slice(11, 13)}:00`
}
