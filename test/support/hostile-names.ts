/** Names that somebody could write into a schedule or a brand. Each must be shown as text, whatever the format. */
export const HOSTILE_NAMES = [
  '<meta http-equiv="refresh" content="0;url=https://o.example/">',
  "[link](https://o.example/) ![image](https://o.example/i.png)",
  "{{scheduleHash}} {{x}} {token} {symbol} %MODE% $& $1",
  "`code` | **bold** _emphasis_ # ~~gone~~ &lt;b&gt; \\",
  "<script>throw 1</script> </script> <!-- --> ]]>",
  "www.o.example w@o.example <https://o.example/>",
] as const;
