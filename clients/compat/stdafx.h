/* stdafx.h: Visual Studio puts it in every project; often it is not handed in. */
#include <stdio.h>
#include "tchar.h"
