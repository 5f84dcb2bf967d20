/// The look of the report: light or dark as the reader's system is, and light on paper.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --paper: light-dark(#ffffff, #17181b); --ink: light-dark(#1c1c1e, #ececee);
          --faint: light-dark(#6b6b70, #a0a0a8); --rule: light-dark(#dddde2, #35363b);
          --alarm: light-dark(#b3261e, #ff8a80);
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 24px 20px 48px; max-width: 940px; background: var(--paper);
          color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
        h1 { font-size: 26px; margin: 0 0 12px; } h2 { font-size: 20px; margin: 36px 0 8px; }
        p, footer { color: var(--faint); margin: 4px 0 12px; }
        footer { margin-top: 36px; border-top: 1px solid var(--rule); padding-top: 12px; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
        dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--rule);
          vertical-align: top; }
        th { color: var(--faint); font-weight: 600; font-size: 11px; letter-spacing: 0.04em; }
        .figure { text-align: right; white-space: nowrap; }
        td:first-child { white-space: nowrap; }
        .alarm td { color: var(--alarm); font-weight: 600; }
        figure { margin: 16px 0; } figcaption { font-weight: 600; }
        .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 4px 24px; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 6px 0;
          font-size: 13px; }
        .legend i { display: inline-block; width: 12px; height: 12px; }
        i { background: currentColor; print-color-adjust: exact; }
        .bars { grid-template-columns: 106px 1fr; gap: 0 6px; font-size: 12px; line-height: 20px; }
        .bars { white-space: nowrap; } .bars dt { text-align: right; padding-right: 4px; }
        .bars .title { text-align: left; font-weight: 600; color: var(--ink); padding-top: 8px; z-index: 1; }
        .bars dd { position: relative; margin-right: 52px;
          background: repeating-linear-gradient(90deg, var(--rule) 0 1px, transparent 1px var(--step)); }
        .bars dd > * { position: absolute; } .bars i { top: 3px; bottom: 3px; }
        .bars span { transform: translateX(-50%); background: var(--paper); color: var(--faint); }
        .bars b { font-weight: normal; margin-left: 5px; text-shadow: 0 0 2px var(--paper); }
        .bars .quartiles { top: 9.5px; bottom: 9.5px; opacity: 0.75; }
        .bars .total { border-left: 2px solid; top: 1px; bottom: 1px; }
        .bars .floor { background: none; border-left: 1.5px dashed; top: 0; bottom: 0; }
        .bars .planes { border-left-style: dotted; }
        .codec { color: var(--rule); }
        svg { display: block; width: 100%; height: auto; }
        svg text { font: 12px system-ui, sans-serif; fill: var(--faint); }
        polyline { fill: none; stroke: currentColor; stroke-width: 2; } circle { fill: currentColor; }
        svg .rule { stroke: var(--rule); stroke-width: 1; }
        svg .floor { stroke-width: 1.5; stroke-dasharray: 7 4; }
        svg .break-even { stroke: var(--faint); stroke-dasharray: 1 3; stroke-linecap: round; }
        \(colourRules)
        @media print {
          :root { color-scheme: light; }
          body { max-width: none; padding: 0; font-size: 11px; }
          h2 { break-after: avoid; margin-top: 18px; } figure, tr, .legend { break-inside: avoid; }
          .grid { grid-template-columns: 1fr 1fr; }
          .wide { overflow: visible; } table { font-size: 10px; }
        }
        @page { margin: 14mm; }

        """

    /// Classes, and their colours on light and dark pages. `DeviceColours` numbers the devices.
    private static let colours = [
        ("device-0", "#7a8794", "#8e9aa6"), ("device-1", "#4c9be8", "#6db3f5"),
        ("device-2", "#1f5fa8", "#3d7fd0"),
        ("device-3", "#e07b28", "#f09a50"), ("device-4", "#2a9d6e", "#45c08c"),
        ("device-5", "#a45bb8", "#c583d6"),
        ("device-6", "#c9a227", "#dcbb4f"), ("device-7", "#c0504d", "#e27673"),
        ("part-decode", "#9db4c8", "#7f97ab"), ("part-upload", "#e3b23c", "#e3b23c"),
        ("part-kernel", "#c2452d", "#e2654c"), ("part-download", "#7c9a3d", "#9dbb5c"),
        ("part-encode", "#4f6d8f", "#5f83ab"),
    ]

    private static let colourRules = colours.map { name, light, dark in
        ".\(name) { color: light-dark(\(light), \(dark)); }"
    }.joined(separator: "\n")
}
