/* targetver.h: Visual Studio puts it in every project; nothing in it matters here. */
