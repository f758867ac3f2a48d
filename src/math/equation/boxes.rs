//! Frames, colours, phantoms, overlaps, links: what Typst does outside of mathematics.

use katex::parser::parse_node::{
    AnyParseNode as Node, LapAlignment, ParseNodeEnclose, ParseNodeHref, ParseNodeRule,
};

use super::colors::color;
use super::spacing::{Class, em};
use super::symbols::quoted;
use super::{Level, Writer, Written, unsupported};

/// TeX's sizes from `\tiny` to `\Huge`.
const SIZES: [f64; 11] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.44, 1.728, 2.074, 2.488];

impl Writer {
    /// A node that is laid out as a box of its own.
    pub(super) fn boxed(&mut self, node: &Node) -> Written {
        Ok(match node {
            Node::Color(it) => {
                format!("#text(fill:{},${}$)", color(&it.color)?, self.full(&it.body)?)
            }
            Node::Phantom(it) => format!("#hide(${}$)", self.full(&it.body)?),
            Node::Hphantom(it) => {
                format!("#box(height:0pt,hide(${}$))", self.argument(&it.body)?)
            }
            Node::Vphantom(it) => {
                let body = self.argument(&it.body)?;
                upright_phantom(&self.restored(body))
            }
            Node::Smash(it) => {
                let body = self.argument(&it.body)?;
                if it.smash_height && it.smash_depth {
                    format!("#box(height:0pt,${}$)", self.restored(body))
                } else {
                    body
                }
            }
            Node::Rule(it) => self.rule(it),
            Node::Raisebox(it) => {
                let down = -em(&it.dy, self.level);
                format!("#box(baseline:{down:.4}em,${}$)", self.argument(&it.body)?)
            }
            Node::Vcenter(it) => self.argument(&it.body)?,
            Node::Hbox(it) => self.text_or_list(&it.body)?,
            Node::Lap(it) => {
                let body = self.argument(&it.body)?;
                lap(&self.restored(body), &it.alignment)
            }
            Node::Enclose(it) => self.enclose(it)?,
            Node::Sizing(it) => {
                let size = SIZES[it.size.clamp(1, SIZES.len()) - 1];
                format!("#text(size:{size}em,${}$)", self.full(&it.body)?)
            }
            Node::Pmb(it) => {
                let class = Class::of(it.mclass).name();
                format!("class(\"{class}\",bold({}))", self.full(&it.body)?)
            }
            Node::Html(it) => self.list(&it.body)?,
            Node::Href(it) => self.link(it)?,
            Node::Url(it) => format!("#link({0},{0})", quoted(&it.url)),
            // A number given to the whole formula by its author.
            Node::Tag(it) => {
                let (body, tag) = (self.full(&it.body)?, self.text_or_list(&it.tag)?);
                format!(
                    "#box(width:100%,grid(columns:(1fr,auto,1fr),align:(start+horizon,\
                     center+horizon,end+horizon),[],$display({body})$,${tag}$))"
                )
            }
            Node::Verb(it) => format!("mono({})", quoted(&it.body)),
            Node::Cr(_) => "\\ ".into(),
            Node::CdLabel(it) => {
                let body = self.at(Level::Script, |writer| writer.argument(&it.label))?;
                let side = match it.side.as_str() {
                    "left" => LapAlignment::Left,
                    _ => LapAlignment::Right,
                };
                lap(&format!("script({body})"), &side)
            }
            Node::CdLabelParent(it) => self.argument(&it.fragment)?,
            Node::Includegraphics(_) => return unsupported("\\includegraphics"),
            other => {
                let kind = katex::parser::parse_node::NodeType::from(other);
                return unsupported(kind.as_ref());
            }
        })
    }

    /// What is laid out in a box starts in running style again.
    fn restored(&self, body: String) -> String {
        match self.level {
            Level::Display => format!("display({body})"),
            Level::Text | Level::Script | Level::ScriptScript => body,
        }
    }

    fn rule(&self, it: &ParseNodeRule) -> String {
        let (width, height) = (em(&it.width, self.level), em(&it.height, self.level));
        if width <= 0.0 {
            return String::new();
        }
        let down = -it.shift.as_ref().map_or(0.0, |it| em(it, self.level));
        let shape = format!("width:{width:.4}em,height:{height:.4}em");
        // A rule has the colour of the text around it.
        format!("#context box({shape},baseline:{down:.4}em,fill:text.fill)")
    }

    fn enclose(&mut self, it: &ParseNodeEnclose) -> Written {
        let body = match &*it.body {
            Node::Text(_) | Node::Hbox(_) => self.full(std::slice::from_ref(&*it.body))?,
            body => self.argument(body)?,
        };
        let fill = |it: &Option<String>| color(it.as_deref().unwrap_or("transparent"));
        Ok(match it.label.as_str() {
            "\\fbox" => format!("#box(stroke:0.04em,inset:0.3em,${}$)", self.restored(body)),
            "\\colorbox" => format!(
                "#box(fill:{},inset:0.3em,${}$)",
                fill(&it.background_color)?,
                self.restored(body)
            ),
            "\\fcolorbox" => format!(
                "#box(fill:{},stroke:0.04em+{},inset:0.3em,${}$)",
                fill(&it.background_color)?,
                fill(&it.border_color)?,
                self.restored(body)
            ),
            "\\angl" => format!(
                "#box(stroke:(top:0.04em,right:0.04em),inset:(top:0.1em,right:0.1em),${}$)",
                self.restored(body)
            ),
            "\\phase" => format!("class(\"normal\",\\u{{2220}}underline({body}))"),
            "\\cancel" => format!("cancel({body})"),
            "\\bcancel" => format!("cancel(inverted:#true,{body})"),
            "\\xcancel" => format!("cancel(cross:#true,{body})"),
            "\\sout" => format!("cancel(angle:#90deg,length:#100%,{body})"),
            label => return unsupported(label),
        })
    }

    /// A link. An address of the book is a label of the document, `#eq:attention`; other places
    /// that a page may know are nothing in the PDF.
    fn link(&mut self, it: &ParseNodeHref) -> Written {
        let body = self.full(&it.body)?;
        let address = &it.href;
        Ok(if let Some(label) = address.strip_prefix('#') {
            format!("#link(label({}),${body}$)", quoted(label))
        } else if ["http:", "https:", "mailto:"].iter().any(|it| address.starts_with(it)) {
            format!("#link({},${body}$)", quoted(address))
        } else {
            body
        })
    }
}

/// As high and deep as `body`, without width and unseen. A box would lose the base line.
pub(super) fn upright_phantom(body: &str) -> String {
    format!("#context{{let b=${body}$;hide(b);h(-measure(b).width)}}")
}

/// Content without width that hangs to one side.
fn lap(body: &str, side: &LapAlignment) -> String {
    let (before, after) = match side {
        LapAlignment::Left => ("h(-measure(b).width);", ""),
        LapAlignment::Right => ("", ";h(-measure(b).width)"),
        LapAlignment::Center => ("h(-measure(b).width/2);", ";h(-measure(b).width/2)"),
    };
    format!("#context{{let b=${body}$;{before}b{after}}}")
}
