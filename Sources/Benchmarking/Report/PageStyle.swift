/// The look of the report: light or dark as the reader's system is, and on paper.
enum PageStyle {
    static let css = """
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --ink: #1c1c1e; --faint: #6b6b70; --rule: #dddde2; --alarm: #b3261e;
          --d0: #7a8794; --d1: #4c9be8; --d2: #1f5fa8; --d3: #e07b28; --d4: #2a9d6e; --d5: #a45bb8;
          --d6: #c9a227; --d7: #c0504d;
          --decode: #9db4c8; --upload: #e3b23c; --kernel: #c2452d; --download: #7c9a3d; --encode: #4f6d8f;
        }
        \(dark)
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 24px 20px 48px; max-width: 940px; background: var(--paper);
          color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
        h1 { font-size: 26px; margin: 0 0 12px; } h2 { font-size: 20px; margin: 36px 0 8px; }
        h3 { font-size: 16px; margin: 20px 0 6px; }
        p, footer, .note { color: var(--faint); margin: 4px 0 12px; }
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
        figure > svg { display: block; width: 100%; height: auto; }
        .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 4px 24px; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 6px 0;
          font-size: 13px; }
        svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
        svg .label { fill: var(--faint); } svg .strong { fill: var(--ink); font-weight: 600; }
        svg .value, svg .floor-name { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
        svg .value, svg .floor-name { font-size: 11px; } svg .floor-name { font-weight: 600; }
        .rule { stroke: var(--rule); } .whisker { stroke: var(--ink); opacity: 0.75; }
        .total { stroke: var(--ink); stroke-width: 2; }
        .path { fill: none !important; stroke-width: 2; }
        .floor { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 7 4; }
        .floor.planes { stroke-dasharray: 2 3; }
        .break-even { stroke: var(--faint); stroke-dasharray: 1 3; stroke-width: 2; stroke-linecap: round; }
        \(deviceRules)
        .part-decode { fill: var(--decode); } .part-upload { fill: var(--upload); }
        .part-kernel { fill: var(--kernel); } .part-download { fill: var(--download); }
        .part-encode { fill: var(--encode); }
        @media print {
          body { max-width: none; padding: 0; font-size: 11px; }
          h2 { break-after: avoid; margin-top: 18px; } figure, tr, .legend { break-inside: avoid; }
          .grid { grid-template-columns: 1fr 1fr; }
          .wide { overflow: visible; } table { font-size: 10px; }
          svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        @page { margin: 14mm; }

        """

    /// Paper is white whatever the screen is.
    private static let dark = """
        @media screen and (prefers-color-scheme: dark) { :root {
          --paper: #17181b; --ink: #ececee; --faint: #a0a0a8; --rule: #35363b; --alarm: #ff8a80;
          --d0: #8e9aa6; --d1: #6db3f5; --d2: #3d7fd0; --d3: #f09a50; --d4: #45c08c; --d5: #c583d6;
          --d6: #dcbb4f; --d7: #e27673;
          --decode: #7f97ab; --upload: #e3b23c; --kernel: #e2654c; --download: #9dbb5c; --encode: #5f83ab;
        } }
        """

    private static let deviceRules = (0..<DeviceColours.count).map {
        ".device-\($0) { fill: var(--d\($0)); stroke: var(--d\($0)); }"
    }.joined(separator: "\n")
}
